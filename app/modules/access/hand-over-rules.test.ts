import { expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../test/samples/facts.ts";
import { REQUEST_STATES } from "../referrals/request.ts";
import { mayHandOver } from "./hand-over-rules.ts";

test.each(REQUEST_STATES)("hands a unit over while nothing is ordered: %s", (state) => {
  const isUnsent = ["awaiting_details", "ready", "held", "rejected"].includes(state);
  expect(mayHandOver(sampleRequest({ state }))).toBe(isUnsent);
});

test("hands no unit over once its patient came, or of which one half exists", () => {
  expect(mayHandOver(sampleRequest({ claimedAt: DAY }))).toBe(false);
  expect(mayHandOver(sampleRequest({ state: "ready", half: "medicare" }))).toBe(false);
});
