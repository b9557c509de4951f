import { expect, test } from "vitest";
import { DAY, sampleReferral, sampleRequest, sampleResult } from "../../../test/samples/facts.ts";
import type { StoredReferral, StoredResult } from "./referral-repository.ts";
import { REQUEST_STATES, type ReferralRequest } from "./request.ts";
import type { ReviewReason } from "./review-reason.ts";
import { STAGES, stageRecord } from "./stage.ts";
import { reasonOf, stageOf, standingOf } from "./standing.ts";

const facts = (
  request: Partial<ReferralRequest>,
  referrals: Partial<StoredReferral>[] = [],
  results: Partial<StoredResult>[] = [],
) => ({
  request: sampleRequest({ handledReason: null, ...request }),
  referrals: referrals.map(sampleReferral),
  results: results.map(sampleResult),
});
const created = { state: "created" } as const;
const complete = { status: "COMPLETE" };

test.each(REQUEST_STATES)("sorts a request that is %s", (state) => {
  const STAGE = {
    ...{ awaiting_details: "awaiting_details", ready: "in_progress", held: "attention" },
    ...{ sending: "in_progress", created: "in_progress", rejected: "attention" },
    ...{ ambiguous: "in_progress", cancelled: "cancelled" },
  } as const;
  expect(stageOf(facts({ state }))).toBe(STAGE[state]);
  expect(stageOf(facts({ state }, [complete]))).toBe(
    state === "created" ? "results_ready" : STAGE[state],
  );
});

test("needs a person for a reason until it is handled", () => {
  const reviewReason: ReviewReason = { code: "referral", detail: "REFUNDED" };
  expect(reasonOf(facts({ ...created, reviewReason }))).toEqual(reviewReason);
  expect(stageOf(facts({ ...created, reviewReason }))).toBe("attention");
  const handled = facts({ ...created, reviewReason, handledReason: reviewReason });
  expect(reasonOf(handled)).toBeNull();
  expect(stageOf(handled)).toBe("in_progress");
  expect(
    reasonOf(facts({ ...created, reviewReason, handledReason: { code: "held", detail: null } })),
  ).toEqual(reviewReason);
});

test("needs nobody for what was cancelled", () => {
  expect(
    reasonOf(facts({ state: "cancelled", reviewReason: { code: "ambiguous", detail: null } })),
  ).toBeNull();
});

test("needs a person for the money of a cancelled test whose patient withdrew", () => {
  const reviewReason: ReviewReason = { code: "consent_withdrawn", detail: null };
  expect(reasonOf(facts({ state: "cancelled", reviewReason }))).toEqual(reviewReason);
});

test("needs a person for a child's date of birth behind every other reason, unless it was ordered again", () => {
  const underAge: ReviewReason = { code: "under_age", detail: null };
  expect(reasonOf(facts({ ...created, underAge: true }))).toEqual(underAge);
  expect(reasonOf(facts({ ...created, underAge: true, mailRefusedAt: DAY }))).toEqual(underAge);
  expect(reasonOf(facts({ ...created, underAge: true, replacedBy: "next" }))).toBeNull();
  const reviewReason: ReviewReason = { code: "referral", detail: "REFUNDED" };
  expect(reasonOf(facts({ ...created, underAge: true, reviewReason }))).toEqual(reviewReason);
});

test("needs a person last of all for an email that was refused", () => {
  expect(reasonOf(facts({ ...created, mailRefusedAt: DAY }))).toEqual({
    code: "mail_refused",
    detail: null,
  });
});

test("takes a request that is held or was refused for a reason, unless it was ordered again", () => {
  for (const state of ["held", "rejected"] as const) {
    expect(reasonOf(facts({ state }))).toEqual({ code: state, detail: null });
    expect(reasonOf(facts({ state, replacedBy: "next" }))).toBeNull();
    expect(
      reasonOf(
        facts({ state, replacedBy: "next", reviewReason: { code: "ambiguous", detail: null } }),
      ),
    ).toEqual({ code: "ambiguous", detail: null });
  }
});

test("counts what was refused and handled as over", () => {
  expect(
    stageOf(facts({ state: "rejected", handledReason: { code: "rejected", detail: null } })),
  ).toBe("cancelled");
  expect(stageOf(facts({ state: "held", handledReason: { code: "held", detail: null } }))).toBe(
    "in_progress",
  );
});

test("needs a person for results that are held", () => {
  expect(reasonOf(facts(created, [complete], [{}]))).toEqual({
    code: "results_held",
    detail: null,
  });
  expect(reasonOf(facts(created, [complete], [{ releasedAt: DAY }, {}]))).toEqual({
    code: "results_held",
    detail: null,
  });
  expect(reasonOf(facts(created, [complete], [{ releasedAt: DAY }]))).toBeNull();
  expect(reasonOf(facts({ state: "sending" }, [], [{}]))).toBeNull();
  expect(reasonOf(facts({ ...created, replacedBy: "next" }, [complete], [{}]))).toEqual({
    code: "results_held",
    detail: null,
  });
});

test("has results when each referral that counts is complete", () => {
  expect(stageOf(facts(created, [complete, {}]))).toBe("in_progress");
  expect(stageOf(facts(created, [complete, { deletedAt: DAY }]))).toBe("results_ready");
  expect(stageOf(facts(created, [complete, { replacedBy: "next" }]))).toBe("results_ready");
  expect(stageOf(facts(created, [{ ...complete, deletedAt: DAY }]))).toBe("in_progress");
});

test("counts what was ordered again as over once nothing of it is left", () => {
  const replacedBy = "next";
  expect(stageOf(facts({ ...created, replacedBy }))).toBe("cancelled");
  expect(stageOf(facts({ ...created, replacedBy }, [{ replacedBy }]))).toBe("cancelled");
  expect(stageOf(facts({ ...created, replacedBy }, [{}]))).toBe("in_progress");
  expect(stageOf(facts({ ...created, replacedBy }, [complete]))).toBe("results_ready");
  expect(stageOf(facts({ state: "ready", replacedBy }, [{}]))).toBe("cancelled");
});

test("needs a person for a critical result before every other reason, and not once it is cancelled", () => {
  const urgent = { code: "urgent_result_shown", detail: null } as const;
  const reviewReason: ReviewReason = { code: "referral", detail: "REFUNDED" };
  const result = { resultReason: urgent.code, reviewReason };
  expect(reasonOf(facts({ ...created, ...result }))).toEqual(urgent);
  expect(reasonOf(facts({ ...created, ...result, handledReason: reviewReason }))).toEqual(urgent);
  expect(reasonOf(facts({ state: "cancelled", ...result }))).toBeNull();
});

test("keeps a handled reason for as long as it is the one", () => {
  const own: ReviewReason = { code: "referral", detail: "REFUNDED" };
  const urgent: ReviewReason = { code: "urgent_result_shown", detail: null };
  const kept = (request: Partial<ReferralRequest>) =>
    standingOf(facts({ ...created, ...request })).handledReason;
  expect(kept({ reviewReason: own, handledReason: own })).toEqual(own);
  expect(kept({ handledReason: own })).toBeNull();
  // A result's reason is over once it was handled: it is named until anything else needs somebody.
  expect(kept({ handledReason: urgent })).toEqual(urgent);
  expect(kept({ handledReason: urgent, reviewReason: own })).toBeNull();
  expect(kept({ handledReason: urgent, resultReason: "urgent_result_held" })).toBeNull();
});

test("goes on with a part that is still to be made, though the other was ordered again", () => {
  const request = { state: "ready", replacedBy: "next", missingPart: "medicare" } as const;
  expect(stageOf(facts(request, [{}]))).toBe("in_progress");
});

test("gives each stage its own number", () => {
  const numbers = stageRecord((stage) => STAGES.indexOf(stage));
  expect(Object.entries(numbers)).toEqual(STAGES.map((stage, index) => [stage, index]));
});
