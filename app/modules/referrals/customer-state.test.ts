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
  CUSTOMER_STATES,
  customerState,
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

  test("reads as cancelled once all of it is deleted, and as prepared while it is replaced", () => {
    const deleted = sampleReferral({ deletedAt: DAY });
    expect(stateOf({ referrals: [deleted] })).toBe("cancelled");
    expect(stateOf({ referrals: [deleted, sampleReferral({ uuid: "b" })] })).toBe("being_prepared");
    expect(stateOf({ referrals: [replaced] })).toBe("being_prepared");
    const older = sampleReferral({ uuid: "older", deletedAt: deleted.deletedAt });
    expect(stateOf({ referrals: [older, replaced] })).toBe("being_prepared");
    // What the service made in its place was deleted in its turn.
    expect(stateOf({ referrals: [replaced, deleted] })).toBe("cancelled");
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
