import { expect, test } from "vitest";
import { ringAbout } from "./present-attention.ts";

test("says whom to ring where emails can't be delivered, and has nobody told the customer about a result that may be somebody else’s", () => {
  const found = { kind: "buyer", phone: "+61412345678" } as const;
  const told = ringAbout({ requestIds: ["1"] }, new Map([["1", { ...found, why: "result" }]]));
  expect(told?.phone).toBe(found.phone);
  expect(told?.text).toMatch(/to its patient alone.*customer.*may be somebody else/i);
  const refused = ringAbout({ requestIds: ["1"] }, new Map([["1", { ...found, why: "refused" }]]));
  expect(refused?.text).toBe("Emails can’t be delivered. Ring the customer:");
});
