import { expect, test } from "vitest";
import { wireBiomarker, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../clients/referral-service/wire/result.ts";
import { arrange } from "../../modules/access/open-result.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { presentStaffView } from "./present-staff-view.ts";

/** A result of these values as its reviewer reads it. */
function shown(biomarkers: Record<string, unknown>[], summary: unknown = null) {
  const wire = wireResult({
    biomarkerSummary: summary,
    biomarkers: biomarkers.map((fields) => wireBiomarker(fields)),
  });
  const view = arrange(resultSchema.parse(wire), {
    ...{ title: "Check", partial: false, timeZone: "Australia/Sydney" },
  });
  const result = { isReleased: false, release: null, reportId: null, view };
  const { results } = presentStaffView(
    {
      ...{ kind: "shown", orderName: "#1", held: 1, version: "v", until: new Date() },
      results: [result],
      earlier: { hidden: 0, shown: [] },
    },
    { orderId: gid("Order", 1) },
  );
  const [one] = results ?? [];
  if (!one) throw new Error("There is no result");
  return { ...one, values: one.categories.flatMap(({ biomarkers: own }) => own) };
}

test("names values as the laboratory does: two may share a common name", () => {
  const { values } = shown([
    { id: "a", name: "Testosterone, total", commonName: "Testosterone" },
    { id: "b", name: "Testosterone, free", commonName: "Testosterone" },
    { id: "c", name: "Ferritin", commonName: "Ferritin" },
  ]);
  expect(values.map(({ name }) => name)).toEqual([
    "Testosterone, total (Testosterone)",
    "Testosterone, free (Testosterone)",
    "Ferritin",
  ]);
});

test("shows a value that the service writes apart from its unit", () => {
  expect(shown([{ value: "5.4", unit: "mmol/L", formattedValue: null }]).values[0]?.value).toBe(
    "5.4 mmol/L",
  );
});

test("marks a value beyond its own range that the laboratory did not flag", () => {
  const { values } = shown([
    { id: "a", value: "300" },
    { id: "b", value: "40" },
    { id: "c", value: "300", isAbnormal: true },
  ]);
  expect(values.map(({ isContradictory }) => isContradictory)).toEqual([true, false, false]);
});

test("says that the laboratory counts more than it marks", () => {
  const summary = (abnormal: number) => ({ normal: 2 - abnormal, abnormal, critical: 0, total: 2 });
  const two = [{ id: "a" }, { id: "b" }];
  expect(shown(two, summary(0)).counts).toBe("0 of 2 out of range, 0 critical");
  expect(shown(two, summary(1)).counts).toBe(
    "The laboratory counts 1 of 2 abnormal and 0 critical, and marks 0 below",
  );
  expect(shown(two).counts).toBeNull();
});

test("says that the laboratory doesn’t name the critical one among several that it marks", () => {
  const two = [
    { id: "a", isAbnormal: true },
    { id: "b", isAbnormal: true },
  ];
  const critical = (count: number) => ({ normal: 0, abnormal: 2, critical: count, total: 2 });
  const counts = (count: number) => shown(two, critical(count)).counts;
  expect(counts(1)).toBe("2 of 2 out of range, 1 critical (the laboratory doesn’t say which)");
  expect(counts(2)).toBe("2 of 2 out of range, 2 critical");
});

test("heads a critical result with what is marked, and quotes what its patient reads", () => {
  const summary = { normal: 0, abnormal: 1, critical: 1, total: 1 };
  const told = shown([{ id: "a", isAbnormal: true }], summary).alert;
  expect(told?.heading).toBe("Marked as critical by the laboratory: 1");
  expect(told?.text).toMatch(/^The patient reads “See a doctor today”, and: /);
});
