import { expect, test } from "vitest";
import { toCustomer } from "./order-summary.ts";

const nameOf = (firstName: string | null, lastName: string | null) =>
  toCustomer({ firstName, lastName, email: null })?.name;

test("a name turns nothing that staff read after it, and keeps letters of every script", () => {
  expect(nameOf("Ada\u202e)1001#", "\u2066Lee\u2069")).toBe("Ada)1001# Lee");
  expect(nameOf("نور", "می\u200cخواهم")).toBe("نور می\u200cخواهم");
  expect(nameOf("\u202e", "\u2067")).toBeUndefined();
});
