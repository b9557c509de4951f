import { expect, test } from "vitest";
import { plainDigits, typedCode } from "./typed-digits.ts";

test.each([
  ["０４１２ ３４５", "0412 345"],
  ["\u202a0412 345\u202c", "0412 345"],
  ["٠١٢٣٤٥٦٧٨٩", "0123456789"],
  ["۰۱۲۳", "0123"],
  ["१२३", "123"],
  ["20\u200b00", "2000"],
  ["1 High St", "1 High St"],
  ["", ""],
])("reads %j as %j", (typed, plain) => {
  expect(plainDigits(typed)).toBe(plain);
});

test.each([
  "012345",
  " 012 345 ",
  "012-345",
  "0 1 2 3 4 5",
  "０１２３４５",
  "٠١٢٣٤٥",
  "O12345",
  "ol2345",
  "Your code: 012345",
  "Your code: 012345. It works once, for 10 minutes",
  "\u2066012345\u2069",
])("takes the code from %j", (typed) => {
  expect(typedCode(typed, 6)).toBe("012345");
});

test.each(["", "12345", "1234567", "123456 654321", "no code"])("finds no code in %j", (typed) => {
  expect(typedCode(typed, 6)).not.toMatch(/^\d{6}$/);
});
