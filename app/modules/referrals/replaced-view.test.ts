import { describe, expect, test } from "vitest";
import {
  DAY,
  sampleDocument,
  sampleReferral,
  sampleRequest,
  sampleResult,
} from "../../../test/samples/facts.ts";
import {
  BOTH_FORMS_READY,
  customerState,
  isForToday,
  NEXT_STEPS,
  nextStepOf,
  type RequestFacts,
  resultToOffer,
  todayOf,
} from "./customer-view.ts";

const TODAY = "Please open your results today and read the note at the top.";
const CHANGED =
  "Values that could be seen before have changed: please go by what the results say now.";
const BEFORE =
  "These results came before the test was ordered again. No more results come of the earlier order. See the replacement.";
const NEW_IN_REVIEW = "New results are being reviewed. We’ll email you when you can see them.";
const REPORTED_AGAIN =
  "The laboratory has reported again. We’ll email you when you can open the new results.";

const created = (change: Parameters<typeof sampleRequest>[0] = {}) =>
  sampleRequest({ state: "created", ...change });
const urgent = { resultReason: "urgent_result_shown" } as const;
const seen = (fields: Partial<RequestFacts>) => {
  const facts = { request: created(), referrals: [], results: [], documents: [], ...fields };
  const state = customerState(facts);
  return [state, nextStepOf(facts, state), isForToday(facts, state)];
};

/** The referral that failed, and its result that its patient can open. */
const former = sampleReferral({ uuid: "former", status: "FAILED_TEST", replacedBy: "referral" });
const open = sampleResult({
  uuid: "r0",
  referralUuid: "former",
  partial: true,
  releasedAt: DAY,
});
const corrected = { ...open, correctedAt: DAY };

describe("a critical result of a test that was ordered again", () => {
  const again = { referrals: [{ ...former, replacedBy: "next" }] };

  test("is to be opened today, before it is said that it came earlier", () => {
    const request = created({ replacedBy: "next", ...urgent });
    expect(seen({ ...again, request, results: [open] })).toEqual([
      "partial_results",
      `${TODAY} ${BEFORE}`,
      true,
    ]);
    expect(seen({ ...again, request, results: [corrected] })[1]).toBe(
      `${TODAY} ${CHANGED} ${BEFORE}`,
    );
  });

  test("says that it has changed also where it can wait", () => {
    const request = created({ replacedBy: "next" });
    expect(seen({ ...again, request, results: [corrected] }).slice(1)).toEqual([
      `${CHANGED} ${BEFORE}`,
      false,
    ]);
  });
});

describe("a critical result of a referral that the service replaced is to be opened today", () => {
  const request = created(urgent);
  const beside = (referral: Parameters<typeof sampleReferral>[0], more = {}) =>
    seen({ request, referrals: [former, sampleReferral(referral)], results: [open], ...more });
  const held = sampleResult();

  test("while the new form is prepared, and once it is there", () => {
    expect(beside({ status: "CREATED" })).toEqual([
      "being_prepared",
      `${TODAY} We are preparing the referral form.`,
      true,
    ]);
    expect(beside({}, { documents: [sampleDocument()] })).toEqual([
      "form_ready",
      `${TODAY} ${NEXT_STEPS.form_ready}`,
      true,
    ]);
  });

  test("while new results are on their way, or reviewed", () => {
    expect(beside({ status: "COMPLETE" })).toEqual([
      "in_review",
      `${TODAY} ${REPORTED_AGAIN}`,
      true,
    ]);
    const results = [open, held];
    expect(beside({}, { results })).toEqual(["in_review", `${TODAY} ${NEW_IN_REVIEW}`, true]);
  });

  test("while the new one needs the shop", () => {
    expect(beside({ status: "FAILED_TEST" })).toEqual([
      "needs_support",
      `${TODAY} ${NEXT_STEPS.needs_support}`,
      true,
    ]);
    const cancellation = { requestedBy: "store", status: "requested" } as const;
    const refunded = beside({}, { request: created({ ...urgent, cancellation }) });
    expect(refunded[1]).toMatch(/note at the top\. This test was refunded or removed/);
  });

  test("while the new one is being cancelled, and not once it is", () => {
    const cancellation = { requestedBy: "staff", status: "confirmed" } as const;
    const [state, step, today] = beside({}, { request: created({ ...urgent, cancellation }) });
    expect([state, today]).toEqual(["cancelled", true]);
    expect(step).toMatch(/note at the top\. This test is being cancelled/);
    const gone = sampleRequest({ state: "cancelled", ...urgent, cancellation });
    expect(beside({}, { request: gone })).toEqual(["cancelled", NEXT_STEPS.cancelled, false]);
  });

  test("not while its patient hides their results, nor once it is held again", () => {
    const hidden = created({ ...urgent, resultsHiddenAt: DAY });
    expect(beside({}, { request: hidden }).slice(1)).toEqual([NEXT_STEPS.being_prepared, false]);
    const results = [{ ...open, releasedAt: null }];
    expect(beside({}, { results }).slice(1)).toEqual([NEXT_STEPS.being_prepared, false]);
  });

  test("though both forms of the test are there", () => {
    const facts = { request, referrals: [former, sampleReferral()], results: [open] };
    expect(nextStepOf(facts, "form_ready", { hasBothForms: true })).toBe(
      `${TODAY} ${BOTH_FORMS_READY}`,
    );
    expect(nextStepOf({ ...facts, results: [] }, "form_ready", { hasBothForms: true })).toBe(
      BOTH_FORMS_READY,
    );
  });

  test("after the ringing that the new one asks for", () => {
    const toRing = { uuids: new Set([held.uuid]), contact: null };
    const [, step] = beside({}, { results: [open, held], toRing });
    expect(step).toMatch(/^There is news about this test.* Please open your results today/);
    expect(step).not.toContain("reviewed");
  });

  test("and the page leads to it while new ones are reviewed, as to no other", () => {
    const facts = { request, referrals: [former, sampleReferral()], results: [open, held] };
    expect(resultToOffer(facts, "in_review")?.uuid).toBe(open.uuid);
    expect(resultToOffer({ ...facts, request: created() }, "in_review")).toBeUndefined();
    expect(resultToOffer({ ...facts, request: created() }, "form_ready")?.uuid).toBe(open.uuid);
  });

  test("and that alone is what is said for today", () => {
    const facts = { request, referrals: [former, sampleReferral()], results: [open] };
    expect(todayOf(facts, "form_ready")).toBe(TODAY);
    expect(todayOf({ ...facts, request: created() }, "form_ready")).toBeNull();
  });
});

describe("of results of a referral that the service replaced", () => {
  const beside = (
    referral: Parameters<typeof sampleReferral>[0],
    results: RequestFacts["results"],
    change = {},
  ) =>
    seen({
      request: created(change),
      referrals: [former, sampleReferral(referral)],
      results,
    }).slice(0, 2);
  const warning = /^Results that you could open before have changed/;

  test("a corrected one that can be opened is not said to be closed", () => {
    const inReview = sampleResult({ inReview: true });
    for (const result of [sampleResult(), inReview])
      expect(beside({}, [corrected, result])).toEqual(["in_review", NEW_IN_REVIEW]);
    expect(beside({ status: "COMPLETE" }, [corrected])).toEqual(["in_review", REPORTED_AGAIN]);
  });

  test("a corrected one that is held again is warned of, whatever came of the new referral", () => {
    const closed = { ...corrected, releasedAt: null };
    expect(beside({}, [closed, sampleResult()])[1]).toMatch(warning);
    expect(beside({ status: "COMPLETE" }, [closed])[1]).toMatch(warning);
  });

  test("none stands for those that the laboratory has reported since", () => {
    expect(beside({ status: "COMPLETE" }, [open])).toEqual(["in_review", REPORTED_AGAIN]);
    expect(beside({ status: "COMPLETE" }, [{ ...open, releasedAt: null }])).toEqual([
      "in_review",
      "The laboratory has reported. We’ll email you when you can open the results.",
    ]);
    expect(beside({}, [{ ...open, releasedAt: null }, sampleResult()])).toEqual([
      "in_review",
      NEXT_STEPS.in_review,
    ]);
  });

  test("one that was taken back keeps nobody from reading that the new form waits for the shop", () => {
    const taken = { ...open, releasedAt: null, deletedAt: DAY };
    const cancellation = { requestedBy: "store", status: "requested" } as const;
    const [state, step] = beside({}, [taken], { cancellation });
    expect(state).toBe("needs_support");
    expect(step).toBe(
      "The results were taken back. If you have opened them, please don’t go by them, and throw away any report that you kept. This test was refunded or removed from the order. Please don’t use its form for now: the shop is deciding whether the test goes ahead. We will email you. If you asked for this, you don’t need to do anything. If you didn’t expect it, contact the shop.",
    );
  });

  test("one that was taken back is told of beside what becomes of a cancelled test", () => {
    const taken = sampleResult({ deletedAt: DAY });
    const cancellation = { requestedBy: "staff", status: "confirmed" } as const;
    const [state, step] = seen({
      request: created({ cancellation }),
      referrals: [sampleReferral()],
      results: [taken],
    });
    expect(state).toBe("needs_support");
    expect(step).toMatch(/^The results were taken back\..* This test is being cancelled\./);
    expect(step).not.toContain("deciding");
  });
});
