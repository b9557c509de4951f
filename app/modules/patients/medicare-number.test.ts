import { expect, test } from "vitest";
import { isMedicareCardNumber } from "./medicare-number.ts";

// 1·2 + 3·1 + 7·2 + 9·3 + 1·4 + 3·5 + 7·6 + 9·7 = 170: the ninth digit is 0.
const VALID = ["2123456701", "21234567011", "2123456709", "3123456711", "6123456741"];

test.each(VALID)("%s is a card number", (number) => {
  expect(isMedicareCardNumber(number)).toBe(true);
});

test.each([
  ["", "nothing"],
  ["212345670", "nine digits"],
  ["212345670111", "twelve digits"],
  ["1123456701", "begins with 1"],
  ["7123456701", "begins with 7"],
  ["21234567010", "individual number 0"],
  ["2123 45670 1", "spaces"],
  ["２123456701", "another script's digits"],
  ["2123456701\n", "a line break"],
])("%j is none: %s", (number) => {
  expect(isMedicareCardNumber(number)).toBe(false);
});

test("a single wrong digit among the first nine is always found", () => {
  for (const number of VALID)
    for (let at = 0; at < 9; at++)
      for (let digit = 0; digit <= 9; digit++) {
        const changed = `${number.slice(0, at)}${digit}${number.slice(at + 1)}`;
        if (changed !== number) expect(isMedicareCardNumber(changed)).toBe(false);
      }
});
