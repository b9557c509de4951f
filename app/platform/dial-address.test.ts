import { expect, test } from "vitest";
import { dialAddress } from "./dial-address.ts";

test.each([
  ["02 9123 4567", "tel:0291234567"],
  ["(02) 9123 4567", "tel:0291234567"],
  ["(02)\u00a09123\u00a04567", "tel:0291234567"],
  ["02-9123-4567", "tel:0291234567"],
  ["0412 345 678", "tel:0412345678"],
  ["+61 (0)2 9123 4567", "tel:+61291234567"],
  ["+61 02 9123 4567", "tel:+61291234567"],
  ["(+61) 2 9123 4567", "tel:+61291234567"],
  ["+61 412 345 678", "tel:+61412345678"],
  ["13 11 14", "tel:131114"],
  ["1300 123 456", "tel:1300123456"],
  ["1800 022 222", "tel:1800022222"],
  ["+61 1800 022 222", "tel:+611800022222"],
  ["000", "tel:000"],
  ["+64 9 123 4567", "tel:+6491234567"],
])("dials %s as %s", (written, address) => {
  expect(dialAddress(written)).toBe(address);
});

test.each([
  "02 9123 4567 ext 4",
  "02 9123 4567 #4",
  "02 9123 4567 (4)",
  "02 9123 4567 or 02 9123 4568",
  "02 9123 4567 / 68",
  "13 11 14, 1300 123 456",
  "13 11 14 1300 123 456",
  "1800 HEALTH",
  "Ask at the desk",
  // The area code is missing.
  "9123 4567",
  // Where the bracketed 0 belongs differs between countries.
  "+44 (0)20 7946 0958",
  "0011 61 2 9123 4567",
  "02 9123 456",
  "+61 2 9123 4567 8",
  "",
])("dials nothing for %s", (written) => {
  expect(dialAddress(written)).toBeNull();
});
