import { expect, test } from "vitest";
import { DAY, sampleReferral } from "../../../test/samples/facts.ts";
import { parseReasonKey } from "./review-reason.ts";
import { REFERRAL_STATUSES, type ReferralStatus } from "./snapshots.ts";
import {
  attentionFor,
  formIsOff,
  isFailed,
  isFormHeldBack,
  isFormMade,
  isKnownStatus,
  isOfReferrals,
} from "./status.ts";

const NEEDY: readonly ReferralStatus[] = [
  "INSUFFICIENT_DATA",
  "FAILED_TEST",
  "BILLING_FAILED",
  "TRANSFERRED",
  "REFUNDED",
  "PENDING_VERIFICATION",
];
const FAILED: readonly ReferralStatus[] = [
  "BILLING_FAILED",
  "FAILED_TEST",
  "INSUFFICIENT_DATA",
  "REFUNDED",
];

test.each(REFERRAL_STATUSES)("knows what a referral that is %s asks of a person", (status) => {
  const reason = NEEDY.includes(status) ? { code: "referral", detail: status } : null;
  expect(attentionFor([sampleReferral({ status })])).toEqual(reason);
  expect(isFailed({ status })).toBe(FAILED.includes(status));
  expect(isKnownStatus(status)).toBe(true);
});

test.each(REFERRAL_STATUSES)(
  "knows whether the form of a referral that is %s is of use",
  (status) => {
    const own = { status, otherPerson: false };
    const isOff = [...NEEDY, "SCHEDULED_REISSUE"].includes(status);
    expect(formIsOff({ cancellation: null, kept: false }, own)).toBe(isOff);
    const cancellation = { requestedBy: "store", status: "requested" } as const;
    expect(formIsOff({ cancellation, kept: false }, own)).toBe(true);
    expect(formIsOff({ cancellation, kept: true }, own)).toBe(isOff);
    // A form that is remade waits for nobody.
    expect(isFormHeldBack(own)).toBe(NEEDY.includes(status));
    const anothers = { status, otherPerson: true };
    expect(formIsOff({ cancellation: null, kept: false }, anothers)).toBe(true);
    expect(isFormHeldBack(anothers)).toBe(true);
  },
);

test.each([...REFERRAL_STATUSES, "SOMETHING_NEW"])(
  "takes the form for made once it is issued, or results came of it: %s",
  (status) => {
    const isMade = ["ISSUED", "PARTIAL_RESULTS", "COMPLETE"].includes(status);
    expect(isFormMade({ status })).toBe(isMade);
  },
);

test("needs a person for a status that it does not know, after those that it knows", () => {
  const unknown = sampleReferral({ status: "SOMETHING_NEW" });
  expect(isKnownStatus("SOMETHING_NEW")).toBe(false);
  expect(isFailed(unknown)).toBe(false);
  expect(attentionFor([unknown])).toEqual({ code: "referral", detail: "unknown_status" });
  expect(attentionFor([sampleReferral(), unknown])).toEqual({
    code: "referral",
    detail: "unknown_status",
  });
  expect(attentionFor([unknown, sampleReferral({ status: "REFUNDED" })])).toEqual({
    code: "referral",
    detail: "REFUNDED",
  });
});

test("needs nobody while there is no referral, or all is well", () => {
  expect(attentionFor([])).toBeNull();
  expect(attentionFor([sampleReferral(), sampleReferral({ medicare: true })])).toBeNull();
});

test("needs a person once nothing is left at the service", () => {
  const deleted = sampleReferral({ deletedAt: DAY, status: "FAILED_TEST" });
  expect(attentionFor([deleted])).toEqual({ code: "deleted_at_service", detail: null });
  expect(attentionFor([deleted, sampleReferral()])).toBeNull();
});

test("needs a person once one of the two referrals of a Medicare request is deleted", () => {
  const deleted = sampleReferral({ medicare: true, deletedAt: DAY });
  const gone = { code: "deleted_at_service", detail: null };
  expect(attentionFor([sampleReferral(), deleted])).toEqual(gone);
  const again = sampleReferral({ medicare: true });
  expect(attentionFor([sampleReferral(), deleted, again])).toBeNull();
  const lost = { medicare: true, replacedBy: "next", status: "FAILED_TEST" };
  expect(attentionFor([sampleReferral(), sampleReferral(lost)])).toBeNull();
});

test("needs a person for what can be used beside the one in its place", () => {
  const alive = { code: "referral", detail: "former_alive" };
  for (const status of ["CREATED", "ISSUED", "SCHEDULED_REISSUE", "PENDING_VERIFICATION"])
    expect(attentionFor([sampleReferral({ replacedBy: "next", status })])).toEqual(alive);
  for (const status of ["PARTIAL_RESULTS", "COMPLETE", "TRANSFERRED", "REFUNDED"])
    expect(attentionFor([sampleReferral({ replacedBy: "next", status })])).toBeNull();
  expect(attentionFor([sampleReferral({ replacedBy: "next", deletedAt: DAY })])).toBeNull();
});

test("needs a person once the last of those that the service made in each other's place is deleted", () => {
  const first = sampleReferral({ uuid: "first", replacedBy: "second", status: "FAILED_TEST" });
  const second = sampleReferral({ uuid: "second", replacedBy: "third", status: "FAILED_TEST" });
  const third = sampleReferral({ uuid: "third" });
  const gone = { code: "deleted_at_service", detail: null };
  expect(attentionFor([first, second, third])).toBeNull();
  expect(attentionFor([first, second, { ...third, deletedAt: DAY }])).toEqual(gone);
  // The second was ordered again: that is told of the replacement.
  expect(attentionFor([first, second])).toBeNull();
});

test("needs nobody for what was replaced", () => {
  const replaced = sampleReferral({ replacedBy: "next", status: "FAILED_TEST" });
  expect(attentionFor([replaced])).toBeNull();
  expect(attentionFor([replaced, sampleReferral()])).toBeNull();
  expect(attentionFor([replaced, sampleReferral({ deletedAt: DAY })])).toBeNull();
});

test.each([
  ["referral:REFUNDED", true],
  ["referral:unknown_status", true],
  ["deleted_at_service", true],
  ["rejected:INVALID_PAYLOAD", false],
  ["duplicate_referral", false],
  ["", false],
])("tells whether %j came of the referrals' own state: %s", (reason, is) => {
  expect(isOfReferrals(parseReasonKey(reason))).toBe(is);
});
