import { expect, test } from "vitest";
import { headerValue } from "./event-headers.ts";

test("finds a header in any case", () => {
  expect(headerValue({ "x-signature": "a" }, "X-Signature")).toBe("a");
  expect(headerValue({ other: "b", "X-SIGNATURE": "a" }, "x-signature")).toBe("a");
});

test("finds none that is missing, empty or sent twice", () => {
  expect(headerValue({ other: "a" }, "x-signature")).toBeNull();
  expect(headerValue({ "x-signature": "" }, "x-signature")).toBeNull();
  expect(headerValue({ "x-signature": ["a", "b"] }, "x-signature")).toBeNull();
});
