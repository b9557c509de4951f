import { expect, test } from "vitest";
import { loadCatalogue } from "../catalogue/catalogue.ts";
import type { Person } from "../referrals/referral.ts";
import { generateMeasurements } from "./generate.ts";
import { type Measurement, summarise } from "./measurement.ts";
import { completeSet } from "./partial-set.ts";

const catalogue = loadCatalogue();
const everything = [...catalogue.tests.keys()];

function person(gender: Person["gender"]): Person {
  return {
    firstName: "Mia",
    lastName: "Ng",
    email: "mia@example.com",
    phone: "0400000000",
    dob: "1984-01-01",
    gender,
    address: {
      addressLine1: "1 Street",
      addressLine2: null,
      postCode: "2000",
      city: "Sydney",
      country: "Australia",
      state: "NSW",
    },
  };
}

function measure(
  seed: string,
  gender: Person["gender"],
  options: { tests?: string[]; abnormal?: boolean; critical?: boolean; ageYears?: number } = {},
): Measurement[] {
  const { tests = everything, ageYears = 42, ...direction } = options;
  const context = { catalogue, person: person(gender), seed, ageYears };
  return generateMeasurements(context, completeSet(catalogue, tests, gender), direction);
}

const genders = ["male", "female"] as const;

test("the catalogue has the size and the kinds that it should have", () => {
  const tests = [...catalogue.tests.values()];
  const biomarkers = [...catalogue.biomarkers.values()];
  expect(tests.length).toBeGreaterThanOrEqual(60);
  expect(new Set(tests.map(({ type }) => type)).size).toBeGreaterThan(3);
  expect(catalogue.bundles.size).toBeGreaterThanOrEqual(10);
  expect(biomarkers.length).toBeGreaterThanOrEqual(150);
  const used = new Set(tests.flatMap((entry) => entry.biomarkers));
  expect(biomarkers.filter(({ id }) => !used.has(id))).toEqual([]);
  for (const entry of tests) {
    for (const [minimum, maximum] of Object.values(entry.turnaroundDays)) {
      expect((minimum ?? 0) <= (maximum ?? 0)).toBe(true);
    }
  }
});

test("every biomarker's data makes sense: limits in order, inside what occurs", () => {
  for (const entry of catalogue.biomarkers.values()) {
    if (entry.valueType === "string") continue;
    const [least, most] = entry.plausible;
    const perSex = Array.isArray(entry.range)
      ? [entry.range]
      : [entry.range.male, entry.range.female];
    for (const range of perSex) {
      if (range === null) {
        expect(entry.additionalRanges, entry.id).toBeDefined();
        continue;
      }
      const [low, high] = range;
      expect(low === null && high === null, entry.id).toBe(false);
      expect((low ?? least) < (high ?? most), entry.id).toBe(true);
      if (low !== null) expect(low, entry.id).toBeGreaterThanOrEqual(least);
      if (high !== null) expect(high, entry.id).toBeLessThan(most);
      const [criticalLow, criticalHigh] = entry.critical ?? [null, null];
      if (criticalLow !== null && low !== null) expect(criticalLow, entry.id).toBeLessThan(low);
      if (criticalHigh !== null && high !== null)
        expect(criticalHigh, entry.id).toBeGreaterThan(high);
    }
  }
});

test("value, flag, interval, formatted value and summary agree, for both sexes and many seeds", () => {
  for (const gender of genders) {
    for (let seed = 0; seed < 25; seed += 1) {
      const measurements = measure(`agree-${seed}`, gender);
      for (const { view, severity } of measurements) {
        expect(view.isAbnormal).toBe(severity !== "normal");
        expect(view.formattedValue).toBe([view.value, view.unit].filter(Boolean).join(" "));
        if (view.valueType === "string") {
          expect(view).toMatchObject({
            refIntervalLow: null,
            refIntervalHigh: null,
            additionalRanges: null,
          });
          continue;
        }
        const value = Number(view.value);
        const outside =
          (view.refIntervalLow !== null && value < view.refIntervalLow) ||
          (view.refIntervalHigh !== null && value > view.refIntervalHigh);
        expect(view.isAbnormal, view.id).toBe(outside);
      }
      const { normal, abnormal, critical, total } = summarise(measurements);
      expect(normal + abnormal + critical).toBe(total);
      expect(critical).toBe(0);
    }
  }
});

test("directions are followed, without exception", () => {
  for (const gender of genders) {
    for (let seed = 0; seed < 15; seed += 1) {
      const count = (direction: { abnormal?: boolean; critical?: boolean }) =>
        summarise(measure(`direct-${seed}`, gender, direction));
      expect(count({ abnormal: false })).toMatchObject({ abnormal: 0, critical: 0 });
      expect(count({ abnormal: true }).abnormal).toBeGreaterThan(0);
      expect(count({ critical: true }).critical).toBe(1);
    }
  }
});

test("a small order follows directions as well, though most of it is calculated", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const tests = ["full-blood-count"];
    const count = (direction: { abnormal?: boolean; critical?: boolean }) =>
      summarise(measure(`small-${seed}`, "female", { tests, ...direction }));
    expect(count({ abnormal: true }).abnormal).toBeGreaterThan(0);
    expect(count({ critical: true }).critical).toBe(1);
  }
});

test("equal seeds give equal values, whatever else is measured", () => {
  const alone = measure("same", "female", { tests: ["lipid-studies"] });
  const together = measure("same", "female", { tests: ["full-blood-count", "lipid-studies"] });
  expect(together.slice(-alone.length)).toEqual(alone);
  expect(measure("same", "female")).toEqual(measure("same", "female"));
  expect(measure("other", "female")).not.toEqual(measure("same", "female"));
});

test("sums come out right, as a pathologist would check them", () => {
  for (let seed = 0; seed < 25; seed += 1) {
    const byId = new Map(
      measure(`sums-${seed}`, "male").map(({ view }) => [view.id, Number(view.value)]),
    );
    const v = (id: string) => byId.get(id) ?? Number.NaN;
    const cells = ["neutrophils", "lymphocytes", "monocytes", "eosinophils", "basophils"];
    expect(cells.reduce((sum, id) => sum + v(id), 0)).toBeCloseTo(v("white-cell-count"), 0);
    expect(v("sodium") - v("chloride") - v("bicarbonate")).toBeCloseTo(v("anion-gap"), 0);
    expect(v("albumin") + v("globulin")).toBeCloseTo(v("total-protein"), 0);
    const nonHdl = v("total-cholesterol") - v("hdl-cholesterol");
    expect(Math.abs(nonHdl - v("non-hdl-cholesterol"))).toBeLessThan(0.02);
    expect(Math.abs(nonHdl - v("triglycerides") / 2.2 - v("ldl-cholesterol"))).toBeLessThan(0.35);
    expect(v("psa-free")).toBeLessThanOrEqual(v("psa-total"));
    expect(Math.abs(v("haemoglobin") / v("haematocrit") / v("mchc") - 1)).toBeLessThan(0.05);
  }
});

test("female sex hormones have cycle phases instead of an interval, male ones an interval", () => {
  for (const id of ["fsh", "lh", "oestradiol", "progesterone"]) {
    const view = (gender: Person["gender"]) =>
      measure("hormones", gender).find((entry) => entry.view.id === id)?.view;
    expect(view("female")).toMatchObject({
      refIntervalLow: null,
      refIntervalHigh: null,
      isAbnormal: false,
    });
    const ranges = view("female")?.additionalRanges ?? [];
    expect(ranges.map((range) => range.id)).toContain("luteal");
    expect(ranges.every((range) => range.category === "female-hormone")).toBe(true);
    expect(view("male")?.additionalRanges).toBeNull();
    expect(view("male")?.refIntervalHigh).not.toBeNull();
  }
});

test("all hormones of a woman tell of the same phase; after 55 of none", () => {
  const phases = (seed: string, ageYears: number) => {
    const hormones = measure(seed, "female", { tests: ["female-hormones"], ageYears });
    const fitting = hormones.map(({ view }) =>
      (view.additionalRanges ?? [])
        .filter(({ lowRange, highRange }) => {
          const value = Number(view.value);
          return value >= (lowRange ?? -1) && value <= (highRange ?? Number.POSITIVE_INFINITY);
        })
        .map(({ id }) => id),
    );
    return fitting.reduce((left, right) => left.filter((id) => right.includes(id)));
  };
  for (let seed = 0; seed < 20; seed += 1) {
    expect(phases(`phase-${seed}`, 30).length).toBeGreaterThan(0);
    expect(phases(`phase-${seed}`, 60)).toEqual(["postmenopausal"]);
  }
});

test("lipids keep their interval and have a high-risk target, open on one side", () => {
  const view = (id: string) =>
    measure("lipids", "male").find((entry) => entry.view.id === id)?.view;
  expect(view("ldl-cholesterol")).toMatchObject({
    refIntervalHigh: 3.5,
    additionalRanges: [
      { id: "high-risk", category: "lipid-risk-target", lowRange: null, highRange: 1.8 },
    ],
  });
  expect(view("hdl-cholesterol")).toMatchObject({
    refIntervalLow: 1,
    additionalRanges: [{ id: "high-risk", lowRange: 1, highRange: null }],
  });
});

test("intervals differ by sex where they do in nature; nobody is measured for the other sex", () => {
  const high = (gender: Person["gender"]) =>
    measure("sex", gender).find((entry) => entry.view.id === "haemoglobin")?.view.refIntervalHigh;
  expect([high("male"), high("female")]).toEqual([180, 165]);
  const tests = ["full-blood-count", "psa"];
  const ids = measure("sex", "female", { tests: ["full-blood-count"] }).map(({ view }) => view.id);
  expect(ids).not.toContain("psa-total");
  expect(completeSet(catalogue, tests, "male").map(({ id }) => id)).toContain("psa-total");
});
