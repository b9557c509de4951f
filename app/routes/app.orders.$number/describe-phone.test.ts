import { expect, test } from "vitest";
import { describePhone } from "./describe-phone.ts";

test("has nobody told the customer about a result that may be somebody else’s", () => {
  const found = { kind: "buyer", phone: "+61412345678" } as const;
  const told = describePhone({ ...found, why: "result" });
  expect(told?.phone).toBe(found.phone);
  expect(told?.text).toMatch(/to its patient alone.*customer.*may be somebody else/i);
  expect(told?.text).not.toMatch(/ring the customer/i);
  // Emails that are refused are the customer's own.
  expect(describePhone({ ...found, why: "refused" })?.text).toMatch(/Ring the customer:$/);
});
