import { describe, expect, test } from "vitest";
import {
  wireBiomarker,
  wireResult,
} from "../../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../../clients/referral-service/wire/result.ts";
import type { ReleasePolicy } from "../../shops/shop.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import { isInReview, isPartial, releaseOf, releasesItself, sameFigures } from "./release.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const EARLIER = new Date("2026-11-19T00:00:00Z");
const summary = (abnormal: number, critical: number) => ({
  ...{ normal: 1, abnormal, critical },
  total: 1 + abnormal + critical,
});
const marker = (fields: Record<string, unknown> = {}) =>
  wireBiomarker({
    ...{ name: "Ferritin", commonName: "Ferritin", value: "40", isAbnormal: false },
    category: { id: "c", name: "Iron", description: "" },
    ...fields,
  });
const resultOf = (fields: Record<string, unknown> = {}): ResultSnapshot =>
  resultSchema.parse(
    wireResult({
      ...{ status: "COMPLETE", productName: "Iron studies", deletedAt: null },
      ...{ biomarkerSummary: summary(0, 0), biomarkers: [marker()] },
      ...fields,
    }),
  );

const normal = resultOf();
const abnormal = resultOf({ biomarkerSummary: summary(1, 0) });
const marked = resultOf({ biomarkers: [marker(), marker({ isAbnormal: true })] });
const critical = resultOf({ biomarkerSummary: summary(0, 1) });
const uncounted = resultOf({ biomarkerSummary: null });
const sensitive = resultOf({ productName: "HIV test" });

describe("what is shown as soon as it arrives", () => {
  const RELEASED: Record<ReleasePolicy, ResultSnapshot[]> = {
    automatic: [normal, abnormal, marked, critical, uncounted, sensitive],
    hold_critical: [normal, abnormal, marked],
    hold_abnormal: [normal],
    hold_all: [],
  };
  const all = { normal, abnormal, marked, critical, uncounted, sensitive };
  const cases = Object.entries(RELEASED).flatMap(([policy, released]) =>
    Object.entries(all).map(
      ([name, snapshot]) =>
        [name, policy as ReleasePolicy, snapshot, released.includes(snapshot)] as const,
    ),
  );

  test.each(cases)("a result that is %s, with %s", (_, releasePolicy, snapshot, isReleased) => {
    const arrived = { snapshot, title: "Iron studies" };
    expect(releasesItself({ releasePolicy, hasReviewer: true }, arrived)).toBe(isReleased);
    // Nobody would ever read what is held.
    expect(releasesItself({ releasePolicy, hasReviewer: false }, arrived)).toBe(true);
  });
});

test("holds a result of a product that is sold as a sensitive test, whatever its markers are called", () => {
  const policy = { releasePolicy: "hold_critical", hasReviewer: true } as const;
  expect(releasesItself(policy, { snapshot: normal, title: "STI check" })).toBe(false);
});

test("holds what is abnormal also where a value lies beyond its own range without a flag", () => {
  const beyond = (value: string) =>
    resultOf({ biomarkers: [marker({ value, refIntervalLow: 10, refIntervalHigh: 20 })] });
  const releases = (policy: ReleasePolicy, value: string) =>
    releasesItself(
      { releasePolicy: policy, hasReviewer: true },
      { snapshot: beyond(value), title: "Iron studies" },
    );
  expect(releases("hold_abnormal", "12")).toBe(true);
  expect(releases("hold_abnormal", "9")).toBe(false);
  expect(releases("hold_abnormal", ">20")).toBe(false);
  expect(releases("hold_critical", "9")).toBe(true);
});

test("takes every status that speaks of a review for one", () => {
  for (const status of [
    ...["IN_REVIEW", "in_review", "UNDER REVIEW", "Reviewing", "HELD", "ON_HOLD", "withheld"],
    ...["PENDING_APPROVAL", "AWAITING RELEASE", "NOT_RELEASED", "Unreleased", "RELEASE_PENDING"],
    ...["Hold", "Release pending", "RELEASEPENDING"],
  ])
    expect(isInReview({ ...normal, status })).toBe(true);
  expect(isInReview(normal)).toBe(false);
});

test("takes no status for one that says that a review is over", () => {
  for (const status of [
    "REVIEWED",
    "reviewed",
    "REVIEW_COMPLETE",
    "Review completed",
    "REVIEWCOMPLETED",
    "APPROVED",
    "RELEASED",
    "THRESHOLD_PASSED",
  ])
    expect(isInReview({ ...normal, status })).toBe(false);
  for (const status of [
    "NOT_REVIEWED",
    "UNREVIEWED",
    "TO_BE_REVIEWED",
    "REVIEW_INCOMPLETE",
    "REVIEWED_IN_PART",
  ])
    expect(isInReview({ ...normal, status })).toBe(true);
});

test("takes the same figures in another sequence for the same", () => {
  const [one, other] = [marker({ id: "b1" }), marker({ id: "b2", value: "7" })];
  const there = resultOf({ biomarkers: [one, other] });
  expect(sameFigures(there, resultOf({ biomarkers: [other, one] }))).toBe(true);
  expect(sameFigures(there, resultOf({ biomarkers: [other] }))).toBe(false);
  const swapped = [marker({ id: "b1", value: "7" }), marker({ id: "b2" })];
  expect(sameFigures(there, resultOf({ biomarkers: swapped }))).toBe(false);
});

test("takes figures for the same whose explanation was reworded", () => {
  const category = { id: "c", name: "Iron", description: "All about iron" };
  const reworded = resultOf({ biomarkers: [marker({ description: "Iron stores.", category })] });
  expect(sameFigures(normal, reworded)).toBe(true);
  const moved = resultOf({ biomarkers: [marker({ category: { ...category, name: "Liver" } })] });
  expect(sameFigures(normal, moved)).toBe(false);
});

test("takes every status but the last for partial", () => {
  expect(isPartial(normal)).toBe(false);
  expect(isPartial({ ...normal, status: "PARTIAL" })).toBe(true);
  expect(isPartial({ ...normal, status: "complete" })).toBe(true);
});

test("takes figures for the same by the summary and all markers", () => {
  expect(sameFigures(normal, resultOf({ updatedAt: "2027-01-01T00:00:00Z" }))).toBe(true);
  expect(sameFigures(normal, abnormal)).toBe(false);
  expect(sameFigures(normal, resultOf({ biomarkers: [marker({ value: "13" })] }))).toBe(false);
  expect(sameFigures(null, normal)).toBe(false);
});

describe("a result that is fetched", () => {
  const holding = { releasePolicy: "hold_all", hasReviewer: true } as const;
  const open = { releasePolicy: "automatic", hasReviewer: true } as const;
  type Given = Parameters<typeof releaseOf>[0];
  const release = (given: Partial<Given>) =>
    releaseOf({
      ...{ policy: holding, before: null, snapshot: normal, otherPerson: false, now: NOW },
      title: "Iron studies",
      ...given,
    });
  const was = (fields: Partial<NonNullable<Given["before"]>> = {}) => ({
    ...{ releasedAt: null, heldAt: EARLIER, inReview: false, otherPerson: false },
    ...{ deletedAt: null, snapshot: normal },
    ...fields,
  });
  const nobody = { releasedAt: null, heldAt: null };

  test("is released or held from now on when it is new", () => {
    expect(release({ policy: open })).toEqual({ releasedAt: NOW, heldAt: null });
    expect(release({})).toEqual({ releasedAt: null, heldAt: NOW });
  });

  test("is held as a sensitive test by what was sold, or by what it says", () => {
    const policy = { releasePolicy: "hold_critical", hasReviewer: true } as const;
    const held = { releasedAt: null, heldAt: NOW };
    expect(release({ policy })).toEqual({ releasedAt: NOW, heldAt: null });
    expect(release({ policy, title: "STI check" })).toEqual(held);
    expect(release({ policy, snapshot: sensitive })).toEqual(held);
  });

  test("is shown to nobody while the service reviews it, once it is deleted, or of another person", () => {
    const policy = open;
    const shown = was({ releasedAt: EARLIER, heldAt: null });
    const inReview = resultOf({ status: "IN_REVIEW" });
    const deleted = resultOf({ deletedAt: "2026-11-20T00:00:00Z" });
    expect(release({ policy, before: shown, snapshot: inReview })).toEqual(nobody);
    expect(release({ policy, before: shown, snapshot: deleted })).toEqual(nobody);
    expect(release({ policy, before: shown, otherPerson: true })).toEqual(nobody);
  });

  test("stays as it is with the same figures, whatever the policy says by now", () => {
    expect(release({ policy: open, before: was() })).toEqual({
      releasedAt: null,
      heldAt: EARLIER,
    });
    const shown = { releasedAt: EARLIER, heldAt: null };
    expect(release({ before: was(shown) })).toEqual(shown);
  });

  test.each([{ inReview: true }, { otherPerson: true }, { deletedAt: EARLIER }])(
    "is judged when it could not be before (%o), though the figures are the same",
    (fields) => {
      const former = was({ heldAt: null, ...fields });
      expect(release({ policy: open, before: former })).toEqual({ releasedAt: NOW, heldAt: null });
    },
  );

  test("is judged anew with other figures, and keeps the moment of its first release", () => {
    const shown = was({ releasedAt: EARLIER, heldAt: null });
    const snapshot = abnormal;
    expect(release({ policy: open, before: shown, snapshot })).toEqual({
      releasedAt: EARLIER,
      heldAt: null,
    });
    expect(release({ before: shown, snapshot })).toEqual({ releasedAt: null, heldAt: NOW });
  });

  test("is held as long as before when its figures change, and anew once it becomes urgent", () => {
    expect(release({ before: was(), snapshot: abnormal }).heldAt).toEqual(EARLIER);
    expect(release({ before: was(), snapshot: critical }).heldAt).toEqual(NOW);
    const urgent = was({ snapshot: uncounted });
    expect(release({ before: urgent, snapshot: critical }).heldAt).toEqual(EARLIER);
    const unknown = was({ snapshot: null });
    expect(release({ before: unknown, snapshot: critical }).heldAt).toEqual(NOW);
    expect(release({ before: unknown, snapshot: normal }).heldAt).toEqual(EARLIER);
  });
});
