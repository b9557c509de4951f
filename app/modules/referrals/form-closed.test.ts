import { expect, test } from "vitest";
import { sampleRequest } from "../../../test/samples/facts.ts";
import { isFormClosed, isRefusedToStore, mayKeep, needsDecision } from "./form-closed.ts";
import { REQUEST_STATES, type ReferralRequest } from "./request.ts";
import { plainReason, REVIEW_CODES } from "./review-reason.ts";

const REQUESTED = { requestedBy: "store", status: "requested" } as const;
const CONFIRMED = { requestedBy: "store", status: "confirmed" } as const;
const ASKED = plainReason("refunded_after_sending");
const unit = (fields: Partial<ReferralRequest> = {}) =>
  sampleRequest({ state: "created", cancellation: REQUESTED, reviewReason: ASKED, ...fields });

test("lets a patient keep what the store took back, and asks staff about, once", () => {
  expect(mayKeep(unit())).toBe(true);
  expect(mayKeep(unit({ reviewReason: plainReason("refunded_after_results") }))).toBe(true);
  expect(mayKeep(unit({ kept: true }))).toBe(false);
  expect(mayKeep(unit({ cancellation: null }))).toBe(false);
  expect(mayKeep(unit({ cancellation: CONFIRMED }))).toBe(false);
  expect(mayKeep(unit({ reviewReason: null }))).toBe(false);
  expect(mayKeep(unit({ reviewReason: plainReason("withdrawal_refused") }))).toBe(false);
});

test.each(REQUEST_STATES)(
  "has something to keep, or to decide, once it is created: %s",
  (state) => {
    expect(mayKeep(unit({ state }))).toBe(state === "created");
    expect(needsDecision(unit({ state }))).toBe(state === "created");
  },
);

test("closes the form of what is being deleted, and of what nobody has decided about", () => {
  expect(isFormClosed({ cancellation: null, kept: false })).toBe(false);
  expect(isFormClosed({ cancellation: null, kept: true })).toBe(false);
  for (const requestedBy of ["store", "staff"] as const) {
    expect(isFormClosed({ cancellation: { requestedBy, status: "requested" }, kept: false })).toBe(
      true,
    );
    for (const kept of [true, false])
      for (const status of ["confirmed", "done"] as const)
        expect(isFormClosed({ cancellation: { requestedBy, status }, kept })).toBe(true);
  }
  expect(isFormClosed({ cancellation: REQUESTED, kept: true })).toBe(false);
});

test("tells an owner of a deletion that the service refused as if it had been made", () => {
  for (const code of REVIEW_CODES)
    expect(isRefusedToStore(unit({ reviewReason: { code, detail: null } as typeof ASKED }))).toBe(
      code === "withdrawal_refused",
    );
  const reviewReason = plainReason("withdrawal_refused");
  expect(isRefusedToStore(unit({ reviewReason, cancellation: null }))).toBe(false);
  expect(isRefusedToStore(unit({ reviewReason: null }))).toBe(false);
});

test("needs a decision about what the store took back, until there is one", () => {
  expect(needsDecision(unit())).toBe(true);
  expect(needsDecision(unit({ kept: true }))).toBe(false);
  expect(needsDecision(unit({ cancellation: null }))).toBe(false);
  expect(needsDecision(unit({ cancellation: CONFIRMED }))).toBe(false);
  expect(needsDecision(unit({ reviewReason: plainReason("withdrawal_refused") }))).toBe(false);
});
