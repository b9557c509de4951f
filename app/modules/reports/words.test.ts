/** Long because it is a table: the words of every reason, state and outcome that the admin shows. */
import { describe, expect, test } from "vitest";
import { sampleReferral, sampleRequest, sampleResult } from "../../../test/samples/facts.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { gid } from "../kernel/ids.ts";
import { NOTIFICATION_KINDS } from "../kernel/notification.ts";
import { TIMELINE_KINDS } from "../kernel/timeline.ts";
import { describeTestOutcome } from "../lifecycle/connection-words.ts";
import type { StoredReferral, StoredResult } from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { REQUEST_STATES } from "../referrals/request.ts";
import { parseReasonKey, plainReason } from "../referrals/review-reason.ts";
import { REFERRAL_STATUSES } from "../referrals/snapshots.ts";
import { describeStatus, leastFinished } from "../referrals/status-words.ts";
import { describeAttention } from "./attention-words.ts";
import { describeRun } from "./order-words.ts";
import { describeRequest } from "./request-state-words.ts";
import { describeEntry } from "./timeline-words.ts";

const SENTENCE = /^[A-Z].*\.$/s;
const at = new Date("2026-11-20T00:00:00Z");

const request = sampleRequest({
  ...{ title: "Iron studies", customerId: null, hasPatient: true, consentAt: at },
  ...{ state: "created", stage: "in_progress", reason: null, attempt: 1 },
});
const referral = (status: string, deletedAt: Date | null = null) =>
  sampleReferral({ status, deletedAt });

const words = (
  change: Partial<ReferralRequest>,
  referrals: StoredReferral[] = [],
  results: StoredResult[] = [],
) => describeRequest({ request: { ...request, ...change }, referrals, results }, describeFailure);

test.each<["mail_refused" | "under_age", Partial<ReferralRequest>]>([
  ["mail_refused", { state: "awaiting_details", mailRefusedAt: at }],
  ["mail_refused", { state: "created", mailRefusedAt: at }],
  ["under_age", { state: "awaiting_details", underAge: true }],
])("says what to do where the list says so, and not that nothing is: %s", (code, change) => {
  const { sentence, nextStep } = describeAttention(plainReason(code), describeFailure);
  const issued = change.state === "created" ? [referral("ISSUED")] : [];
  expect(words(change, issued)).toMatchObject({ tone: "warning", sentence, nextStep });
  expect(words(change, issued).name).toBe(
    words({ ...change, mailRefusedAt: null, underAge: false }, issued).name,
  );
});

describe("every state has a name, a sentence and a next step", () => {
  test.each([...REFERRAL_STATUSES, "SOMETHING_NEW"])("referral status %s", (status) => {
    const described = describeStatus(status);
    expect(described.name).not.toBe("");
    expect(described.sentence).toMatch(SENTENCE);
    expect(described.nextStep).toMatch(SENTENCE);
    expect(described.customer).toMatch(SENTENCE);
  });

  test("the list is the interface's own", () => {
    // Interface §3, in its order.
    expect(REFERRAL_STATUSES).toEqual([
      ...["PENDING_VERIFICATION", "CREATED", "ISSUED", "SCHEDULED_REISSUE", "PARTIAL_RESULTS"],
      ...["COMPLETE", "INSUFFICIENT_DATA", "REFUNDED", "FAILED_TEST", "BILLING_FAILED"],
      "TRANSFERRED",
    ]);
  });

  test.each(REQUEST_STATES)("request state %s", (state) => {
    const described = words({ state });
    expect(described.sentence).toMatch(SENTENCE);
    expect(described.nextStep).toMatch(SENTENCE);
  });

  test("a status that is not known is shown as the service wrote it", () => {
    expect(describeStatus("SOMETHING_NEW").name).toContain("SOMETHING_NEW");
  });
});

describe("what the order's page says beside Needs attention", () => {
  const said = (change: Partial<ReferralRequest>) => words(change, [referral("ISSUED")]);

  test("a test that its patient was let keep is decided about", () => {
    const reviewReason = parseReasonKey("refunded_after_sending");
    expect(said({ reviewReason }).sentence).toContain("until you decide");
    expect(said({ reviewReason, kept: true }).sentence).toContain("has the form");
  });

  test("an invited patient is asked, and not the buyer; the email may still wait", () => {
    const asked = words({ state: "awaiting_details" }).nextStep;
    expect(asked).toContain("Pathway asks the customer by email");
    const invited = words({ state: "awaiting_details", owner: "patient" }).nextStep;
    expect(invited).toContain("Pathway emails the patient");
  });

  test("a guest has no account in which a form could be", () => {
    const of = (customerId: ReferralRequest["customerId"]) =>
      words({ state: "awaiting_details", customerId }).nextStep;
    expect(of(gid("Customer", 1))).toContain("in their account");
    expect(of(null)).toContain("asks the customer by email");
    expect(of(null)).toContain("behind the link in the email");
    expect(of(null)).not.toContain("account");
  });

  test("a form that is not here is nobody's yet", () => {
    const facts = { request, referrals: [referral("ISSUED")], results: [] };
    const { sentence } = describeRequest({ ...facts, documents: [] }, describeFailure);
    expect(sentence).toContain("doesn’t have it yet");
  });

  test("what fails of a part that was ordered again is not to be ordered once more", () => {
    const reviewReason = parseReasonKey("referral:FAILED_TEST");
    expect(said({ reviewReason }).nextStep).toContain("Order it again");
    const replaced = { ...request, state: "created", reviewReason, replacedBy: "next" } as const;
    const facts = { request: replaced, referrals: [referral("FAILED_TEST")], results: [] };
    const { sentence, nextStep } = describeRequest(
      { ...facts, orderedAgain: ["commercial"] },
      describeFailure,
    );
    expect(sentence).toBe(said({ reviewReason }).sentence);
    expect(nextStep).toContain("see the replacement");
    expect(nextStep).not.toContain("Order it again");
    // The other part of a Medicare order was.
    const other = describeRequest({ ...facts, orderedAgain: ["medicare"] }, describeFailure);
    expect(other.nextStep).toContain("Order it again");
  });

  test("the money of a test whose patient withdrew is still to be given back", () => {
    const reviewReason = parseReasonKey("consent_withdrawn");
    expect(said({ state: "cancelled", reviewReason }).nextStep).toContain("Refund the customer");
  });
});

describe("attention", () => {
  const reasons = [
    "unmapped_line",
    "no_contact",
    "paid_in_part",
    "backdated",
    "other_name",
    "not_a_test_then",
    "money_back",
    "parts_of_bundle",
    "not_fulfilled",
    "not_tagged",
    "flow_not_started",
    "order_not_visible",
    "paid_not_visible",
    "refunded_after_sending",
    "refunded_after_results",
    "withdrawal_too_late",
    "withdrawal_refused",
    "deleted_at_service",
    "deleted_with_results",
    "bought_again",
    "correction_refused",
    "half_rejected:INVALID_PROVIDER_NUMBER",
    "half_created",
    "duplicate_referral",
    "ambiguous",
    "held",
    "rejected",
    "results_held",
    "urgent_result_held",
    "unreadable_at_service",
    "other_tests",
    "urgent_result_shown",
    "mail_refused",
    "result_deleted",
    "not_sent:no_connection",
    "not_sent:connection_unreadable",
    "unresolved:connection_unreadable",
    "unresolved:no_connection",
    "unresolved:unauthorized",
    "unresolved:contract_mismatch",
    "unresolved:rejected",
    "not_sent:The token service answered 401",
    "rejected:MISSING_PROVIDER_SIGNATURE",
    "rejected:HTTP_413",
    "referral:FAILED_TEST",
    "referral:unknown_status",
    "a_reason_of_a_later_version",
  ];
  test.each(reasons)("%s", (reason) => {
    const described = describeAttention(parseReasonKey(reason), describeFailure);
    expect(described.sentence).toMatch(SENTENCE);
    expect(described.nextStep).toMatch(SENTENCE);
  });

  test("a refusal speaks with the words of its code", () => {
    const reason = "rejected:MISSING_PROVIDER_SIGNATURE";
    expect(describeAttention(parseReasonKey(reason), describeFailure).sentence).toContain(
      "signature",
    );
  });

  test("a message of the service itself is never shown", () => {
    const described = describeAttention(parseReasonKey("not_sent:secret detail"), describeFailure);
    expect(JSON.stringify(described)).not.toContain("secret");
  });

  test("it speaks before the state, and not for a cancelled request", () => {
    expect(
      words({ state: "ready", reviewReason: { code: "not_sent", detail: "no_connection" } })
        .sentence,
    ).toContain("connected");
    expect(
      words({ state: "cancelled", reviewReason: { code: "half_created", detail: null } }).name,
    ).toBe("Cancelled");
  });
});

describe("a created request", () => {
  test("calls no form ready whose test the store took back, until the patient is let keep it", () => {
    const cancellation = { requestedBy: "store", status: "requested" } as const;
    const named = (kept: boolean) => words({ cancellation, kept }, [referral("ISSUED")]).name;
    expect([named(false), named(true)]).toEqual(["Form closed", "Form ready"]);
    expect(words({ cancellation }, [referral("COMPLETE")]).name).toBe(
      describeStatus("COMPLETE").name,
    );
  });

  test("is where its least finished referral is", () => {
    expect(leastFinished(["COMPLETE", "ISSUED"])).toBe("ISSUED");
    expect(leastFinished(["COMPLETE", "BILLING_FAILED", "ISSUED"])).toBe("BILLING_FAILED");
    expect(leastFinished(["NEW", "COMPLETE"])).toBe("NEW");
    expect(words({}, [referral("COMPLETE"), referral("ISSUED")]).name).toBe("Form ready");
  });

  test("that is being deleted, or was ordered again, says so", () => {
    expect(
      words({ cancellation: { requestedBy: "store", status: "confirmed" } }, [referral("ISSUED")])
        .name,
    ).toBe("Being deleted");
    const replaced = { ...referral("FAILED_TEST"), replacedBy: "r2" };
    expect(words({ replacedBy: "r2" }, [replaced]).name).toBe("Ordered again");
    // Its Medicare referral goes on.
    expect(words({ replacedBy: "r2" }, [replaced, referral("ISSUED")]).name).toBe("Form ready");
  });

  test("says so when all of its referrals were deleted", () => {
    expect(words({}, [referral("COMPLETE", at)]).name).toBe("Deleted at the service");
  });

  test("tells held results from those the service reviews and from released ones", () => {
    const complete = [referral("COMPLETE")];
    expect(words({}, complete, [sampleResult()]).name).toBe("Results held");
    expect(words({}, complete, [sampleResult({ inReview: true })]).name).toBe("Results in review");
    expect(words({}, complete, [sampleResult({ releasedAt: at })]).name).toBe("Results ready");
  });
});

describe("the timeline", () => {
  const entry = (kind: string, detail = {}) =>
    describeEntry(
      { id: "1", kind, actor: "staff:7", at, requestId: null, detail },
      describeFailure,
    );

  test.each(TIMELINE_KINDS)("%s has words of its own", (kind) => {
    const detail = { scan: 1, document: "result", version: 2, to: "ISSUED", generation: 2 };
    const { sentence } = entry(kind, detail);
    expect(sentence).toMatch(/^[A-Z]/);
    expect(sentence).not.toMatch(/_|undefined|null/);
  });

  test("each email is told as what it is, so that two never read alike", () => {
    const told = NOTIFICATION_KINDS.map((mail) => entry("mail_sent", { mail }).sentence);
    expect(told.filter((sentence) => sentence.includes("with news"))).toEqual([]);
    expect(new Set(told).size).toBe(NOTIFICATION_KINDS.length);
  });

  test("a kind of a later version is still told", () => {
    expect(entry("something_new").sentence).toBe("something new");
  });

  test("evidence is named; times are left to the page; what is not named is not shown", () => {
    const detail = { attempt: 2, deadlineAt: "2026-11-20T00:02:00Z", other: "x", surplus: 0 };
    expect(entry("create_started", detail).evidence).toEqual([
      { name: "Attempt", text: "2", isTime: false },
      { name: "Answer expected by", text: "2026-11-20T00:02:00Z", isTime: true },
    ]);
  });

  test("staff are not named", () => {
    expect(entry("retry_asked").who).toBe("Your staff");
  });
});

test("a stored test outcome is put into words: a code of the service, or the kind of failure", () => {
  expect(describeTestOutcome(null, describeFailure)).toBeNull();
  expect(describeTestOutcome("ok", describeFailure)).toBeNull();
  expect(describeTestOutcome("110", describeFailure)?.sentence).toContain("client ID");
  const failures = ["connection", "timeout", "unauthorized", "not_found", "contract_mismatch"];
  const told = ["123", "not_entitled", ...failures.map((one) => `referral_service_${one}`)].map(
    (outcome) => describeTestOutcome(outcome, describeFailure),
  );
  expect(new Set(told.map((words) => words?.sentence)).size).toBe(told.length);
  for (const words of told) {
    expect(words?.sentence).toMatch(/^[A-Z].*\.$/);
    // A test that failed is over, and the address is not the merchant's to enter.
    expect(words?.nextStep).not.toMatch(/keeps trying|connection settings\. If/);
    expect(words?.nextStep).not.toContain("patient");
  }
});

test("a bulk action that ended with the app's removal says how far it came, and what to do", () => {
  const run = { action: "retry", state: "cancelled", counts: { total: 25, done: 3 } } as const;
  expect(describeRun(run)).toBe(
    "Retry ended when the app was removed: 3 of 25 orders done. Start it again for the others.",
  );
});

test("says which of two referrals is looked for, as the ledger records it", () => {
  const said = (half: string) => {
    const detail = { half };
    return describeEntry(
      { id: "1", kind: "half_missing", actor: "pathway", at, requestId: "r", detail },
      describeFailure,
    ).sentence;
  };
  expect(said("medicare")).toContain("the Medicare one is looked for");
  expect(said("commercial")).toContain("the private one is looked for");
});
