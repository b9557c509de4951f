import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fhirBundle } from "./fhir-bundle.ts";
import type { BiomarkerView, ResultView } from "./open-result.ts";

const RESULT_ID = "0e2f1b9c-6a4d-4f7e-9b1a-2c3d4e5f6071";
const biomarker = (change: Partial<BiomarkerView> = {}): BiomarkerView => ({
  ...{ id: "ferritin", name: "Ferritin", commonName: "Iron stores", formattedValue: "12 µg/L" },
  ...{ description: "", sampleType: null },
  ...{ value: "12", unit: "µg/L", isAbnormal: false, notes: null, history: [] },
  ...{ rangeLow: null, rangeHigh: null, additionalRanges: [] },
  ...change,
});
const result = (biomarkers: BiomarkerView[], change: Partial<ResultView> = {}): ResultView => ({
  ...{ id: RESULT_ID, title: "Iron studies", part: null, status: "COMPLETE", partial: false },
  ...{ correctedAt: null, others: [] },
  ...{ resultDate: "2026-11-20T01:02:03+11:00", reportedOn: "2026-11-20", unit: null, alert: null },
  timeZone: "Australia/Sydney",
  ...{ contact: null, summary: null, patient: { name: "Ngaire Wirihana", dob: "1980-02-29" } },
  categories: [{ id: "iron", name: "Iron", biomarkers }],
  ...change,
});
const entrySchema = z.object({ fullUrl: z.string(), resource: z.looseObject({ id: z.string() }) });
const resourcesOf = (view: ResultView) =>
  z
    .array(entrySchema)
    .parse(fhirBundle([view]).entry)
    .map(({ resource }) => resource);
const observed = (change: Partial<BiomarkerView>) => resourcesOf(result([biomarker(change)]))[2];

test("arranges a patient, a report and its values, which refer to each other", () => {
  const bundle = fhirBundle([result([biomarker(), biomarker({ id: "iron" })])]);
  expect(bundle).toMatchObject({ resourceType: "Bundle", type: "collection" });
  const [patient, report, ...values] = resourcesOf(
    result([biomarker(), biomarker({ id: "iron" })]),
  );
  expect(patient).toMatchObject({
    resourceType: "Patient",
    name: [{ text: "Ngaire Wirihana" }],
    birthDate: "1980-02-29",
  });
  expect(report).toMatchObject({
    ...{ resourceType: "DiagnosticReport", id: RESULT_ID, status: "final" },
    ...{ code: { text: "Iron studies" }, issued: "2026-11-19T14:02:03.000Z" },
    subject: { reference: `urn:uuid:${patient?.id}` },
    result: values.map(({ id }) => ({ reference: `urn:uuid:${id}` })),
  });
  for (const value of values)
    expect(value).toMatchObject({
      ...{ resourceType: "Observation", status: "final", code: { text: "Iron stores" } },
      subject: { reference: `urn:uuid:${patient?.id}` },
    });
  const ids = (bundle.entry ?? []).map(({ fullUrl }) => fullUrl);
  expect(new Set(ids).size).toBe(4);
  for (const id of ids)
    expect(id).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
});

test("gives the same result the same ids each time", () => {
  expect(fhirBundle([result([biomarker()])])).toEqual(fhirBundle([result([biomarker()])]));
});

test("tells values apart whose categories and ids are alike", () => {
  const idsOf = (...categories: ResultView["categories"]) =>
    resourcesOf(result([], { categories }))
      .filter(({ resourceType }) => resourceType === "Observation")
      .map(({ id }) => id);
  const category = (id: string, ...ids: string[]) => ({
    ...{ id, name: "" },
    biomarkers: ids.map((of) => biomarker({ id: of })),
  });
  const twice = idsOf(category("iron", "a", "a"), category("iron", "a"), category("other", "a"));
  expect(new Set(twice).size).toBe(4);
  expect(new Set(idsOf(category("a b", "c"), category("a", "b c"))).size).toBe(2);
  // A value that comes to stand before others leaves their ids as they were.
  const [, b, c] = idsOf(category("iron", "new", "b", "c"));
  expect(idsOf(category("iron", "b", "c"))).toEqual([b, c]);
});

test("arranges thousands of values in their own time, whatever they are called", () => {
  const values = Array.from({ length: 5_000 }, (_, n) =>
    biomarker({ id: `v${n}`, name: `Value ${n}`, isAbnormal: false }),
  );
  const beganAt = performance.now();
  expect(fhirBundle([result(values)]).entry).toHaveLength(5_002);
  expect(performance.now() - beganAt).toBeLessThan(3_000);
});

test("says that a report is partial, and leaves out what nobody told", () => {
  const [patient, report] = resourcesOf(
    result([], { partial: true, patient: null, resultDate: null, categories: [] }),
  );
  expect(report).not.toHaveProperty("issued");
  expect(report).not.toHaveProperty("result");
  expect(report).toMatchObject({ status: "partial" });
  expect(patient).toEqual({ resourceType: "Patient", id: patient?.id });
});

test("says that a complete report was corrected", () => {
  const correctedAt = "2026-11-21T00:00:00.000Z";
  const statusOf = (change: Partial<ResultView>) => resourcesOf(result([], change))[1]?.status;
  expect(statusOf({ correctedAt })).toBe("corrected");
  expect(statusOf({ correctedAt, partial: true })).toBe("partial");
});

test("says how many values are critical, which no mark of a value tells", () => {
  const summary = { normal: 10, abnormal: 2, critical: 1, total: 13 };
  expect(resourcesOf(result([], { summary }))[1]).toMatchObject({
    conclusion: "The laboratory counts 1 of 13 values as critical.",
  });
  const calm = { summary: { ...summary, critical: 0 } };
  expect(resourcesOf(result([], calm))[1]).not.toHaveProperty("conclusion");
  expect(resourcesOf(result([]))[1]).not.toHaveProperty("conclusion");
});

test("says of no value of a partial report that it is final", () => {
  const [, , value] = resourcesOf(result([biomarker()], { partial: true }));
  expect(value).toMatchObject({ status: "preliminary" });
});

test("names a value by its common name, and by the laboratory's where several have the common one", () => {
  const named = (...values: Partial<BiomarkerView>[]) =>
    resourcesOf(result(values.map(biomarker)))
      .filter(({ resourceType }) => resourceType === "Observation")
      .map(({ code }) => z.object({ text: z.string() }).parse(code).text);
  const free = { id: "free", name: "Testosterone, free", commonName: "Testosterone" };
  const total = { id: "total", name: "Testosterone, total", commonName: "Testosterone" };
  const iron = { id: "ferritin", name: "Ferritin", commonName: "Iron stores" };
  expect(named(free, iron)).toEqual(["Testosterone", "Iron stores"]);
  expect(named(free, total, iron)).toEqual([free.name, total.name, "Iron stores"]);
  expect(named({ name: "Ferritin", commonName: "" })).toEqual(["Ferritin"]);
});

describe("a value", () => {
  test.each([
    [{ value: "12", unit: "µg/L" }, { valueQuantity: { value: 12, unit: "µg/L" } }],
    [
      { value: "<0.5", unit: "mmol/L" },
      { valueQuantity: { value: 0.5, comparator: "<", unit: "mmol/L" } },
    ],
    [
      { value: "≥ 60", unit: "mL/min" },
      { valueQuantity: { value: 60, comparator: ">=", unit: "mL/min" } },
    ],
    [{ value: "1,200", unit: "ug/L", formattedValue: "1,200 ug/L" }, { valueString: "1,200 ug/L" }],
    [{ value: "7.40", unit: "" }, { valueQuantity: { value: 7.4 } }],
    [{ value: "Reactive", unit: "" }, { valueString: "Reactive" }],
    [{ value: "1+", unit: "" }, { valueString: "1+" }],
    [
      { value: "", formattedValue: "", unit: "" },
      { dataAbsentReason: { coding: [{ code: "unknown" }] } },
    ],
  ])("%j is told as %j", (change, expected) => {
    expect(observed(change)).toMatchObject(expected);
  });

  test("has its ranges, its note and the laboratory's mark", () => {
    const additional = { id: "f", name: "Follicular", category: "phase", low: 1, high: null };
    const value = observed({
      ...{ isAbnormal: true, notes: "Repeat in a month", rangeLow: 30, rangeHigh: 200 },
      additionalRanges: [additional, { ...additional, low: null }],
    });
    expect(value).toMatchObject({
      interpretation: [{ coding: [{ code: "A" }] }],
      note: [{ text: "Repeat in a month" }],
      referenceRange: [
        { low: { value: 30, unit: "µg/L" }, high: { value: 200, unit: "µg/L" } },
        { low: { value: 1, unit: "µg/L" }, text: "Follicular" },
        { text: "Follicular" },
      ],
    });
  });

  test("that is not flagged has no interpretation and no empty range", () => {
    expect(observed({})).not.toHaveProperty("interpretation");
    expect(observed({})).not.toHaveProperty("referenceRange");
  });
});
