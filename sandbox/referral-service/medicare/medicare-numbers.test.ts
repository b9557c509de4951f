import { expect, test } from "vitest";
import { cardCheckDigit, isMedicareCardNumber } from "./card-number.ts";
import { checkCharacter, readProviderNumber } from "./provider-number.ts";

test("the check character of a provider number", () => {
  expect(readProviderNumber("2426621B")).toBe("2426621B");
  expect(readProviderNumber("2426621b")).toBe("2426621B");
  expect(checkCharacter("242662", "1")).toBe("B");
  expect(checkCharacter("24266", "1")).toBeNull();
  expect(checkCharacter("242662", "S")).toBeNull();
});

test("every single changed digit is noticed", () => {
  for (let place = 0; place < 6; place += 1) {
    for (const digit of "0123456789") {
      const changed = `2426621B`.slice(0, place) + digit + "2426621B".slice(place + 1);
      expect(readProviderNumber(changed)).toBe(changed === "2426621B" ? changed : null);
    }
  }
});

test("the check digit of a Medicare card", () => {
  expect(cardCheckDigit("21234567")).toBe(0);
  expect(isMedicareCardNumber("2123456701")).toBe(true);
  expect(isMedicareCardNumber("21234567011")).toBe(true);
  expect(isMedicareCardNumber("2123456711")).toBe(false);
  expect(isMedicareCardNumber("1123456701")).toBe(false);
  expect(isMedicareCardNumber("212345670")).toBe(false);
  expect(isMedicareCardNumber("212345670111")).toBe(false);
});
