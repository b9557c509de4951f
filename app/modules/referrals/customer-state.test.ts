/** Long because it lists every state and every next step that a patient reads. */
import { describe, expect, test } from "vitest";
import {
  DAY,
  sampleDocument,
  sampleReferral,
  sampleRequest,
  sampleResult,
} from "../../../test/samples/facts.ts";
import { CLINICAL_TEXTS } from "./clinical-texts.ts";
import {
  BOTH_FORMS_READY,
  CUSTOMER_STATES,
  customerState,
  invitationStep,
  isForToday,
  isShown,
  NEXT_STEPS,
  nextStepOf,
  type RequestFacts,
  resultToShow,
} from "./customer-view.ts";
import { REFERRAL_STATUSES } from "./snapshots.ts";

const created = sampleRequest({ state: "created" });
const facts = (fields: Partial<RequestFacts>): RequestFacts => ({
  request: created,
  referrals: [sampleReferral()],
  results: [],
  documents: [],
  ...fields,
});
const stateOf = (fields: Partial<RequestFacts>) => customerState(facts(fields));
const released = sampleResult({ releasedAt: DAY });
const form = sampleDocument();
const later = new Date(DAY.getTime() + 1);
const replaced = sampleReferral({ uuid: "former", replacedBy: "referral" });
const formerResult = sampleResult({ uuid: "r0", referralUuid: "former", releasedAt: DAY });

describe("before anything exists", () => {
  test.each([
    ["awaiting_details", "awaiting_details"],
    ["cancelled", "cancelled"],
    ["rejected", "needs_support"],
    ["ready", "being_prepared"],
    ["held", "being_prepared"],
    ["sending", "being_prepared"],
    ["ambiguous", "being_prepared"],
  ] as const)("a request that is %s reads %s", (state, seen) => {
    const request = sampleRequest({ state });
    expect(stateOf({ request, documents: [form] })).toBe(seen);
  });
});

describe("of an order whose other part follows", () => {
  test.each(["ready", "held", "sending", "ambiguous"] as const)(
    "shows what is there while that is %s",
    (state) => {
      const request = sampleRequest({ state, missingPart: "medicare" });
      expect(stateOf({ request })).toBe("being_prepared");
      expect(stateOf({ request, documents: [form] })).toBe("form_ready");
      expect(stateOf({ request, results: [sampleResult()] })).toBe("in_review");
      // The results of the other part are still to come.
      expect(stateOf({ request, results: [released] })).toBe("partial_results");
    },
  );
});

describe("of what was created", () => {
  test("shows that the form is prepared until it is there", () => {
    expect(stateOf({ referrals: [] })).toBe("being_prepared");
    expect(stateOf({})).toBe("being_prepared");
    expect(stateOf({ documents: [form] })).toBe("form_ready");
  });

  test("takes neither a report nor the form of another referral for the form", () => {
    const report = sampleDocument({ kind: "result" });
    const strange = sampleDocument({ sourceUuid: "former" });
    expect(stateOf({ documents: [report, strange] })).toBe("being_prepared");
  });

  test("finds the form of either referral, among others", () => {
    const referrals = [sampleReferral({ uuid: "other" }), sampleReferral()];
    const documents = [sampleDocument({ kind: "result" }), form];
    expect(stateOf({ referrals, documents })).toBe("form_ready");
  });

  test("shows the old form no more once a new one is on its way", () => {
    const reissued = sampleReferral({ status: "SCHEDULED_REISSUE" });
    expect(stateOf({ referrals: [reissued], documents: [form] })).toBe("being_prepared");
    const referrals = [sampleReferral(), { ...reissued, uuid: "other" }];
    expect(stateOf({ referrals, documents: [form] })).toBe("being_prepared");
  });

  test("never sends anybody to a collection centre with a form that does not open", () => {
    const waiting = sampleReferral({ status: "PENDING_VERIFICATION" });
    expect(stateOf({ referrals: [waiting], documents: [form] })).toBe("being_prepared");
  });

  test.each(REFERRAL_STATUSES)("asks for help only where nothing else helps: %s", (status) => {
    const stuck = [
      "INSUFFICIENT_DATA",
      "REFUNDED",
      "FAILED_TEST",
      "BILLING_FAILED",
      "TRANSFERRED",
    ].includes(status);
    const referrals = [sampleReferral({ uuid: "other" }), sampleReferral({ status })];
    expect(stateOf({ referrals }) === "needs_support").toBe(stuck);
  });

  test.each(["PARTIAL_RESULTS", "COMPLETE"])(
    "sends nobody for a sample again whose %s is late",
    (status) => {
      const reported = facts({ referrals: [sampleReferral({ status })], documents: [form] });
      expect(customerState(reported)).toBe("in_review");
      expect(nextStepOf(reported, "in_review")).toMatch(/^The laboratory has reported/);
    },
  );

  test("shows results before trouble", () => {
    const referrals = [sampleReferral({ status: "TRANSFERRED" })];
    expect(stateOf({ referrals, results: [released] })).toBe("results_ready");
    expect(stateOf({ referrals, results: [sampleResult()] })).toBe("in_review");
  });

  test("shows results as partial until each referral has a whole one", () => {
    const two = [sampleReferral(), sampleReferral({ uuid: "other", medicare: true })];
    expect(stateOf({ results: [released] })).toBe("results_ready");
    expect(stateOf({ results: [{ ...released, partial: true }] })).toBe("partial_results");
    expect(stateOf({ referrals: two, results: [released] })).toBe("partial_results");
    const others = { ...released, uuid: "r2", referralUuid: "other" };
    expect(stateOf({ referrals: two, results: [released, others] })).toBe("results_ready");
    const held = { ...others, releasedAt: null };
    expect(stateOf({ referrals: two, results: [released, held] })).toBe("partial_results");
  });

  test("waits for the shop once all of it is deleted, and reads as prepared while it is replaced", () => {
    const deleted = sampleReferral({ deletedAt: DAY });
    expect(stateOf({ referrals: [deleted] })).toBe("needs_support");
    expect(stateOf({ referrals: [deleted, sampleReferral({ uuid: "b" })] })).toBe("being_prepared");
    expect(stateOf({ referrals: [replaced] })).toBe("being_prepared");
    const older = sampleReferral({ uuid: "older", deletedAt: deleted.deletedAt });
    expect(stateOf({ referrals: [older, replaced] })).toBe("being_prepared");
    // The service deleted its replacement in turn.
    expect(stateOf({ referrals: [replaced, deleted] })).toBe("needs_support");
  });

  test("counts no result of a referral that was replaced while another is there", () => {
    const referrals = [replaced, sampleReferral()];
    expect(stateOf({ referrals, results: [formerResult] })).toBe("being_prepared");
    expect(stateOf({ referrals: [replaced], results: [formerResult] })).toBe("results_ready");
  });
});

test("says in each state in a sentence what comes next", () => {
  const steps = [...CUSTOMER_STATES.map((state) => NEXT_STEPS[state]), BOTH_FORMS_READY];
  for (const step of steps) expect(step).toMatch(/^[A-Z].*\.$/);
});

describe("whether a request is shown", () => {
  const request = sampleRequest({ state: "created", replacedBy: "next" });

  test("is so until it is replaced", () => {
    expect(isShown(facts({ referrals: [] }))).toBe(true);
    expect(isShown(facts({ request, referrals: [] }))).toBe(false);
  });

  test("is so after that for a referral or a result that can still be seen", () => {
    expect(isShown(facts({ request }))).toBe(true);
    expect(isShown(facts({ request, referrals: [replaced, sampleReferral()] }))).toBe(true);
    expect(isShown(facts({ request, referrals: [replaced] }))).toBe(false);
    const results = [sampleResult(), formerResult];
    expect(isShown(facts({ request, referrals: [replaced], results }))).toBe(true);
    expect(isShown(facts({ request, referrals: [], results: [sampleResult()] }))).toBe(false);
  });
});

describe("the result that is shown first", () => {
  test("is the newest of those that are released", () => {
    const newest = sampleResult({ uuid: "new", releasedAt: DAY, serviceUpdatedAt: later });
    const held = sampleResult({ uuid: "held", serviceUpdatedAt: new Date(later.getTime() + 1) });
    expect(resultToShow(facts({ results: [released, newest, held] }))?.uuid).toBe("new");
    expect(resultToShow(facts({ results: [newest, released, held] }))?.uuid).toBe("new");
    expect(resultToShow(facts({ results: [held] }))).toBeUndefined();
  });

  test("is one that counts before one of a referral that was replaced", () => {
    const referrals = [replaced, sampleReferral()];
    const newer = { ...formerResult, serviceUpdatedAt: later };
    expect(resultToShow(facts({ referrals, results: [newer, released] }))?.uuid).toBe("result");
    expect(resultToShow(facts({ referrals, results: [released, newer] }))?.uuid).toBe("result");
    expect(resultToShow(facts({ referrals, results: [newer] }))?.uuid).toBe("r0");
  });
});

describe("of several results, the critical one that nobody has rung about", () => {
  const request = sampleRequest({ state: "created", resultReason: "urgent_result_shown" });
  const newer = sampleResult({ uuid: "new", releasedAt: DAY, serviceUpdatedAt: later });
  const seen = (critical: string[], results = [released, newer], referrals = [sampleReferral()]) =>
    facts({ request, referrals, results, critical: new Set(critical) });

  test("is shown first, whichever is newer or of the referral that counts", () => {
    expect(resultToShow(seen(["result"]))?.uuid).toBe("result");
    expect(resultToShow(seen(["new"]))?.uuid).toBe("new");
    expect(resultToShow(seen(["result", "new"]))?.uuid).toBe("new");
    const both = [replaced, sampleReferral()];
    expect(resultToShow(seen(["r0"], [newer, formerResult], both))?.uuid).toBe("r0");
  });

  test("is for today, and none is once none is critical", () => {
    expect(isForToday(seen(["result"]), "results_ready")).toBe(true);
    expect(isForToday(seen([]), "results_ready")).toBe(false);
    expect(nextStepOf(seen([]), "results_ready")).toBe(NEXT_STEPS.results_ready);
    expect(isForToday(seen([], []), "being_prepared")).toBe(false);
  });
});

test("says of a test whose owner is told of a delay what the email says, until it is ordered", () => {
  const step = (state: "held" | "created", more: Partial<RequestFacts> = {}) => {
    const known = facts({ request: sampleRequest({ state }), isDelayed: true, ...more });
    return nextStepOf(known, customerState(known));
  };
  expect(step("held", { referrals: [] })).toMatch(/^We can’t go on with this test yet,/);
  expect(step("held", { referrals: [], isDelayed: false })).toBe(NEXT_STEPS.being_prepared);
  expect(step("created", { documents: [form] })).toBe(NEXT_STEPS.form_ready);
});

describe("the next step", () => {
  const paused = { requestedBy: "store", status: "requested" } as const;
  const confirmed = { requestedBy: "staff", status: "confirmed" } as const;
  const stepOf = (fields: Partial<RequestFacts>) => {
    const known = facts(fields);
    const state = customerState(known);
    return [state, nextStepOf(known, state)];
  };
  const asked = (change: Parameters<typeof sampleRequest>[0]) =>
    sampleRequest({ state: "created", ...change });

  test.each(CUSTOMER_STATES)("of a test that is %s is the one of its state", (state) => {
    const results = state === "in_review" ? [sampleResult()] : [released];
    const request = state === "cancelled" ? sampleRequest({ state: "cancelled" }) : created;
    expect(nextStepOf(facts({ request, results }), state)).toBe(NEXT_STEPS[state]);
  });

  test.each(["partial_results", "results_ready"] as const)(
    "of %s that can’t wait begins with opening them today, until somebody has talked about them",
    (state) => {
      const step = (resultReason: "urgent_result_shown" | null, correctedAt: Date | null = null) =>
        nextStepOf(
          facts({
            request: asked({ resultReason }),
            results: [sampleResult({ releasedAt: DAY, correctedAt })],
          }),
          state,
        );
      const today = "Please open your results today and read the note at the top.";
      const changed =
        "Values that could be seen before have changed: please go by what the results say now.";
      const rest = state === "partial_results" ? " We’ll email you about the rest." : "";
      expect(step("urgent_result_shown")).toBe(`${today}${rest}`);
      expect(step("urgent_result_shown", DAY)).toBe(`${today} ${changed}${rest}`);
      expect(step(null)).toBe(NEXT_STEPS[state]);
    },
  );

  test("of partial results whose rest may never come begins with opening them today, and promises no rest", () => {
    const referrals = [sampleReferral({ status: "FAILED_TEST" })];
    const results = [sampleResult({ releasedAt: DAY, partial: true })];
    const request = asked({ resultReason: "urgent_result_shown" });
    const [state, step] = stepOf({ request, referrals, results });
    expect(state).toBe("partial_results");
    expect(step).toMatch(/^Please open your results today and read the note at the top\. The lab/);
    expect(step).not.toContain("We’ll email you about the rest");
  });

  test("waits for the shop where the store took the test back", () => {
    const request = asked({ cancellation: paused });
    expect(stepOf({ request, documents: [form] })).toEqual([
      "needs_support",
      "This test was refunded or removed from the order. Please don’t use its form for now: the shop is deciding whether the test goes ahead. We will email you. If you asked for this, you don’t need to do anything. If you didn’t expect it, contact the shop.",
    ]);
    const kept = asked({ cancellation: paused, kept: true });
    expect(stepOf({ request: kept, documents: [form] })[0]).toBe("form_ready");
    const stuck = facts({ referrals: [sampleReferral({ status: "FAILED_TEST" })] });
    expect(nextStepOf(stuck, "needs_support")).toBe(NEXT_STEPS.needs_support);
  });

  test("says that a test is being cancelled while its referral is deleted", () => {
    const step =
      "This test is being cancelled. Please don’t use its form. If you have it, throw it away. If a refund is due, it goes to the person who paid.";
    expect(stepOf({ request: asked({ cancellation: confirmed }) })).toEqual(["cancelled", step]);
    const refused = { code: "withdrawal_refused", detail: null } as const;
    const request = asked({ cancellation: paused, reviewReason: refused });
    expect(stepOf({ request })).toEqual(["cancelled", step]);
    const ready = sampleRequest({ state: "ready", cancellation: paused });
    expect(stepOf({ request: ready, referrals: [] })).toEqual(["cancelled", step]);
    expect(nextStepOf(facts({ request: ready }), "form_ready")).toBe(NEXT_STEPS.form_ready);
    // The part that exists waits for the shop.
    const half = sampleRequest({ state: "ready", cancellation: paused, missingPart: "medicare" });
    expect(stepOf({ request: half })[0]).toBe("needs_support");
    const gone = sampleRequest({ state: "cancelled", cancellation: confirmed });
    expect(stepOf({ request: gone, referrals: [] })).toEqual(["cancelled", NEXT_STEPS.cancelled]);
  });

  test("says that a form is not valid any more once its referral is gone", () => {
    const referrals = [sampleReferral({ deletedAt: DAY })];
    expect(stepOf({ referrals })).toEqual([
      "needs_support",
      "The form of this test is not valid any more. If you have it, throw it away. The test is not cancelled: the shop is looking into it, and we will email you. If you have given a sample already, contact the shop.",
    ]);
    // The shop has decided: it is deleted at the service, and cancelled in a moment.
    expect(stepOf({ request: asked({ cancellation: confirmed }), referrals })).toEqual([
      "cancelled",
      expect.stringMatching(/^This test is being cancelled/),
    ]);
    // A result that came all the same is its patient's; one that nobody may see yet is not.
    expect(stepOf({ referrals, results: [released] })[0]).toBe("results_ready");
    expect(stepOf({ referrals, results: [sampleResult()] })[0]).toBe("needs_support");
    const inPart = sampleResult({ uuid: "r2", releasedAt: DAY, partial: true });
    expect(stepOf({ referrals, results: [released, inPart] })[0]).toBe("partial_results");
    const gonePart = sampleReferral({ medicare: true, deletedAt: DAY });
    expect(stepOf({ referrals: [sampleReferral(), gonePart] })).toEqual([
      "being_prepared",
      NEXT_STEPS.being_prepared,
    ]);
    // A part is left, though it is stuck.
    const stuck = sampleReferral({ status: "BILLING_FAILED" });
    expect(stepOf({ referrals: [stuck, gonePart] })).toEqual([
      "needs_support",
      NEXT_STEPS.needs_support,
    ]);
    const cancelled = sampleRequest({ state: "cancelled" });
    expect(stepOf({ request: cancelled, referrals })[1]).toBe(NEXT_STEPS.cancelled);
  });

  test("tells of results that the service took back, and of others that are here", () => {
    const taken = sampleResult({ deletedAt: DAY });
    const step =
      "The results were taken back. If you have opened them, please don’t go by them, and throw away any report that you kept. We’ll email you when you can open new ones. You can also contact the shop.";
    // Nobody reviews what the service took back.
    expect(stepOf({ results: [taken] })).toEqual(["needs_support", step]);
    // The laboratory has reported on the referral that was made in its place.
    const reported = [replaced, sampleReferral({ status: "COMPLETE" })];
    const former = sampleResult({ referralUuid: "former", deletedAt: DAY });
    expect(stepOf({ referrals: reported, results: [former] })).toEqual(["in_review", step]);
    expect(stepOf({ results: [taken, sampleResult()] })[0]).toBe("in_review");
    expect(nextStepOf(facts({ results: [taken, sampleResult()] }), "in_review")).toBe(
      NEXT_STEPS.in_review,
    );
    expect(nextStepOf(facts({ results: [] }), "form_ready")).toBe(NEXT_STEPS.form_ready);
    expect(nextStepOf(facts({ results: [taken] }), "form_ready")).toBe(NEXT_STEPS.form_ready);
  });

  test("says of results that have changed since they could be opened that they have", () => {
    const changed =
      "Values that could be seen before have changed: please go by what the results say now.";
    const corrected = { correctedAt: DAY, releasedAt: DAY };
    expect(stepOf({ results: [sampleResult(corrected)] })).toEqual([
      "results_ready",
      `${NEXT_STEPS.results_ready} ${changed}`,
    ]);
    const inPart = sampleResult({ ...corrected, partial: true });
    const some = `Some results are ready. ${changed} We’ll email you about the rest.`;
    expect(stepOf({ results: [inPart] })[1]).toBe(some);
    const held = sampleResult({ ...corrected, releasedAt: null });
    for (const results of [[held], [sampleResult({ uuid: "r2" }), held]])
      expect(stepOf({ results })).toEqual([
        "in_review",
        "Results that you could open before have changed, and the new ones are being reviewed. Please don’t go by the earlier ones. We’ll email you when you can see the new ones.",
      ]);
  });

  test("tells beside a result that can be opened of another one that can’t yet", () => {
    const second = (fields: Parameters<typeof sampleResult>[0]) =>
      stepOf({ results: [released, sampleResult({ uuid: "r2", ...fields })] });
    const reviewed = "New results are being reviewed. We’ll email you when you can see them.";
    for (const fields of [{}, { inReview: true }, { partial: true }])
      expect(second(fields)).toEqual(["results_ready", `${NEXT_STEPS.results_ready} ${reviewed}`]);
    expect(second({ correctedAt: DAY })).toEqual([
      "results_ready",
      `${NEXT_STEPS.results_ready} Some results that you could open before have changed, and are being reviewed: please don’t go by those. We’ll email you when you can see them again.`,
    ]);
    for (const fields of [{ deletedAt: DAY }, { otherPerson: true }, { releasedAt: DAY }])
      expect(second(fields)).toEqual(["results_ready", NEXT_STEPS.results_ready]);
    // Nothing more is awaited of a referral that was replaced.
    const former = sampleResult({ uuid: "r0", referralUuid: "former" });
    const referrals = [replaced, sampleReferral()];
    expect(stepOf({ referrals, results: [former, released] })[1]).toBe(NEXT_STEPS.results_ready);
    // The rest of a partial result is promised already.
    const inPart = sampleResult({ releasedAt: DAY, partial: true });
    expect(stepOf({ results: [inPart, sampleResult({ uuid: "r2" })] })).toEqual([
      "partial_results",
      NEXT_STEPS.partial_results,
    ]);
  });

  test("says first that a result is to be opened today, beside one that is reviewed", () => {
    const request = asked({ resultReason: "urgent_result_shown" });
    const [, step] = stepOf({ request, results: [released, sampleResult({ uuid: "r2" })] });
    expect(step).toBe(
      "Please open your results today and read the note at the top. New results are being reviewed. We’ll email you when you can see them.",
    );
  });

  test("calls results former ones only where nothing of their order counts any more", () => {
    const before =
      "These results came before the test was ordered again. No more results come of the earlier order. See the replacement.";
    const request = asked({ replacedBy: "next" });
    for (const state of ["partial_results", "results_ready"] as const) {
      expect(nextStepOf(facts({ request, referrals: [replaced] }), state)).toBe(before);
      expect(nextStepOf(facts({ request, referrals: [replaced, sampleReferral()] }), state)).toBe(
        NEXT_STEPS[state],
      );
      expect(nextStepOf(facts({ referrals: [replaced] }), state)).toBe(NEXT_STEPS[state]);
    }
    expect(nextStepOf(facts({ request, referrals: [replaced] }), "form_ready")).toBe(
      NEXT_STEPS.form_ready,
    );
  });
});

describe("the next step of a test that waits for details", () => {
  const waiting = (change: Parameters<typeof sampleRequest>[0]) => ({
    request: sampleRequest({ state: "awaiting_details", ...change }),
    referrals: [],
  });
  const stepOf = (change: Parameters<typeof sampleRequest>[0]) =>
    nextStepOf(facts(waiting(change)), "awaiting_details");

  test("asks an invited patient for their own", () => {
    const step = "Enter your details so that we can prepare the referral form.";
    expect(stepOf({ owner: "patient" })).toBe(step);
    expect(stepOf({ owner: "buyer" })).toBe(NEXT_STEPS.awaiting_details);
  });

  test("says why the details that were given do not do, to whoever gives them", () => {
    const step =
      "The date of birth given last is under the shop’s minimum age. If it is right, we can’t order this test: contact the shop to cancel and refund it, and see a GP about the health concern. If it isn’t, enter the right details.";
    for (const owner of ["buyer", "patient"] as const)
      expect(stepOf({ underAge: true, owner })).toBe(step);
  });

  test("asks nobody for details once they are given", () => {
    for (const change of [{ owner: "patient" }, { underAge: true }] as const) {
      const request = sampleRequest({ state: "created", ...change });
      expect(nextStepOf(facts({ request }), "form_ready")).toBe(NEXT_STEPS.form_ready);
    }
  });
});

describe("a held result about which its owner is asked to ring today", () => {
  const contact = { name: "Dr Lee", phone: "02 5550 1234" };
  const news = "There is news about this test that we want to tell you in person.";
  const ring = `${news} Please ring Dr Lee today: 02 5550 1234. ${CLINICAL_TEXTS.when_unanswered.text}`;
  const toRing = { uuids: new Set(["result"]), contact };
  const held = facts({ results: [sampleResult()], toRing });

  test("comes before everything else that is said of the test", () => {
    expect(nextStepOf(held, "in_review")).toBe(ring);
    for (const state of ["partial_results", "results_ready", "needs_support"] as const)
      expect(nextStepOf(held, state)).toBe(`${ring} ${NEXT_STEPS[state]}`);
  });

  test("names nobody where the shop has named nobody", () => {
    const unnamed = { ...held, toRing: { ...toRing, contact: null } };
    expect(nextStepOf(unnamed, "in_review")).toBe(
      `${news} Please ring us today. ${CLINICAL_TEXTS.when_unanswered.text}`,
    );
  });

  test("is kept back once the test is cancelled, or its results are hidden", () => {
    const request = sampleRequest({ state: "cancelled" });
    for (const state of ["cancelled", "results_hidden"] as const) {
      expect(nextStepOf({ ...held, request }, state)).toBe(NEXT_STEPS[state]);
      expect(isForToday(held, state)).toBe(false);
    }
  });

  test("is for today, and another one is not", () => {
    expect(isForToday(held, "in_review")).toBe(true);
    expect(isForToday({ ...held, results: [sampleResult({ uuid: "r2" })] }, "in_review")).toBe(
      false,
    );
    expect(isForToday(facts({ results: [sampleResult()] }), "in_review")).toBe(false);
  });
});

test("a critical result is for today for as long as its patient can open it", () => {
  const isToday = (change: Parameters<typeof sampleRequest>[0], results = [released]) => {
    const fields = { state: "created", resultReason: "urgent_result_shown", ...change } as const;
    const known = facts({ request: sampleRequest(fields), results });
    return isForToday(known, customerState(known));
  };
  expect(isToday({})).toBe(true);
  expect(isToday({}, [{ ...released, partial: true }])).toBe(true);
  expect(isToday({ resultReason: null })).toBe(false);
  expect(isToday({}, [sampleResult()])).toBe(false);
  expect(isToday({ resultsHiddenAt: DAY })).toBe(false);
  expect(isToday({ state: "cancelled" })).toBe(false);
});

test.each([
  ["sent", null, "We have sent the patient a link. They have not opened it yet."],
  [
    "sent",
    "a…@b.example",
    "We have sent the patient a link, to a…@b.example. They have not opened it yet.",
  ],
  ["claimed", "a…@b.example", "The patient has opened the link and fills in the details next."],
  ["claimed", null, "The patient has opened the link and fills in the details next."],
  [
    "done",
    "a…@b.example",
    "The patient has given the details. Everything else goes to them alone.",
  ],
] as const)(
  "tells the buyer how far an invited patient is (%s, link to %s)",
  (progress, sentTo, step) => {
    expect(invitationStep(progress, sentTo)).toBe(step);
  },
);

describe("withdrawn and under age", () => {
  const hidden = sampleRequest({ state: "created", resultsHiddenAt: DAY });

  test("hides results, and nothing where none came", () => {
    expect(stateOf({ request: hidden, results: [released] })).toBe("results_hidden");
    expect(stateOf({ request: hidden, documents: [form] })).toBe("form_ready");
    expect(resultToShow(facts({ request: hidden, results: [released] }))).toBeUndefined();
  });

  test("waits for the shop before anything is ordered of a child, unless the other part exists", () => {
    const request = sampleRequest({ state: "ready", underAge: true });
    expect(stateOf({ request })).toBe("needs_support");
    const half = sampleRequest({ state: "ready", underAge: true, missingPart: "medicare" });
    expect(stateOf({ request: half, documents: [form] })).toBe("form_ready");
  });
});

test("a part that is still to be made, or is gone, is shown though the other was ordered again", () => {
  const request = sampleRequest({ state: "created", replacedBy: "next" });
  const half = sampleRequest({ state: "ready", replacedBy: "next", missingPart: "medicare" });
  expect(isShown(facts({ request: half, referrals: [replaced] }))).toBe(true);
  const gone = sampleReferral({ medicare: true, deletedAt: DAY });
  const again = sampleReferral({ uuid: "former", replacedBy: "next" });
  expect(isShown(facts({ request, referrals: [again, gone] }))).toBe(true);
});
