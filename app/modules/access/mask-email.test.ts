import { expect, test } from "vitest";
import { maskEmail } from "./mask-email.ts";

test("tells of an address its first letter and its domain", () => {
  expect(maskEmail("nora@example.com")).toBe("n•••@example.com");
  expect(maskEmail("n@example.com")).toBe("n•••@example.com");
  expect(maskEmail('"a@b"@example.com')).toBe('"•••@example.com');
});
