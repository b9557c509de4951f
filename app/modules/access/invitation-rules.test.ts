import { expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../test/samples/facts.ts";
import { REQUEST_STATES } from "../referrals/request.ts";
import { mayInvite } from "./invitation-rules.ts";

test.each(REQUEST_STATES)("hands a unit over while nothing is ordered: %s", (state) => {
  const isUnsent = ["awaiting_details", "ready", "held", "rejected"].includes(state);
  expect(mayInvite(sampleRequest({ state }))).toBe(isUnsent);
});

test("hands no unit over once its patient came, or of which one part exists", () => {
  expect(mayInvite(sampleRequest({ acceptedAt: DAY }))).toBe(false);
  expect(mayInvite(sampleRequest({ state: "ready", missingPart: "medicare" }))).toBe(false);
});

test("hands no refused unit over that was ordered again: its replacement is", () => {
  const refused = sampleRequest({ state: "rejected", replacedBy: "next" });
  expect(mayInvite(refused)).toBe(false);
});
