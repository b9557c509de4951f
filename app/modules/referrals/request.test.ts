import { expect, test } from "vitest";
import { sampleRequest } from "../../../test/samples/facts.ts";
import { gid } from "../kernel/ids.ts";
import { accountOf, isLeftToPerson, isUnsent, REQUEST_STATES } from "./request.ts";

const UNSENT = ["awaiting_details", "ready", "held", "rejected"];

test.each(REQUEST_STATES)("knows whether something may exist at the service when %s", (state) => {
  expect(isUnsent({ state, missingPart: null })).toBe(UNSENT.includes(state));
  // While one part waits, the other part exists.
  expect(isUnsent({ state, missingPart: "medicare" })).toBe(false);
});

test.each(REQUEST_STATES)(
  "leaves a request to a person only by a reason of strict mode: %s",
  (state) => {
    const isAmbiguous = state === "ambiguous";
    expect(isLeftToPerson({ state, reviewReason: { code: "ambiguous", detail: null } })).toBe(
      isAmbiguous,
    );
    expect(isLeftToPerson({ state, reviewReason: { code: "half_created", detail: null } })).toBe(
      isAmbiguous,
    );
    expect(
      isLeftToPerson({ state, reviewReason: { code: "under_age_unclear", detail: null } }),
    ).toBe(isAmbiguous);
    expect(
      isLeftToPerson({ state, reviewReason: { code: "unresolved", detail: "unauthorized" } }),
    ).toBe(false);
    expect(isLeftToPerson({ state, reviewReason: null })).toBe(false);
  },
);

test("gives a unit's documents to its buyer's account, and to none once it is handed over", () => {
  expect(accountOf(sampleRequest())).toBe(gid("Customer", 7));
  expect(accountOf(sampleRequest({ customerId: null }))).toBeNull();
  expect(accountOf(sampleRequest({ owner: "patient" }))).toBeNull();
});
