import { expect, test } from "vitest";
import type { BiomarkerView, ResultView } from "../../modules/access/open-result.ts";
import { presentResult } from "./present-result.ts";

const ferritin: BiomarkerView = {
  ...{
    id: "ferritin",
    name: "Ferritin",
    commonName: "Ferritin",
    description: "",
    sampleType: null,
  },
  ...{ formattedValue: "12 ug/L", value: "12", unit: "ug/L", isAbnormal: true, notes: null },
  ...{ rangeLow: 30, rangeHigh: 200, additionalRanges: [] },
  history: [
    {
      ...{ date: "2026-05-01T02:00:00Z", value: "400", formattedValue: "400 ug/L" },
      ...{ isAbnormal: false, isUnclear: false },
    },
  ],
};
const film: BiomarkerView = {
  ...ferritin,
  ...{ id: "film", value: "Unremarkable", formattedValue: "", isAbnormal: false, history: [] },
  ...{ rangeLow: null, rangeHigh: null },
};
const result = (change: Partial<ResultView> = {}): ResultView => ({
  ...{ id: "res-1", title: "Iron studies", part: null, status: "COMPLETE", partial: false },
  ...{ correctedAt: null, others: [], resultDate: null, reportedOn: null, patient: null },
  ...{ unit: null, alert: null, contact: null, timeZone: "Australia/Sydney" },
  summary: { normal: 1, abnormal: 1, critical: 0, total: 2 },
  categories: [{ id: "iron", name: "Iron", biomarkers: [ferritin, film] }],
  ...change,
});
const valuesOf = ({ categories }: ReturnType<typeof presentResult>) =>
  categories.flatMap(({ biomarkers }) => biomarkers);

test("tells with each value how it is read, and with the result what it is as a whole", () => {
  const told = presentResult(result());
  expect(told.reading).toEqual({
    unclear: null,
    counts: { outside: 1, within: 0, unflagged: 1, see_report: 0 },
    isOneNumber: true,
  });
  expect(told.categories).toMatchObject([{ name: "Iron", outside: 1, says: "outside" }]);
  expect(valuesOf(told)).toMatchObject([
    {
      ...{ flag: "low", change: "lower", placement: { zone: "below", lowPercent: 25 } },
      // 400 is beyond the range of today, which is not the one of then.
      history: [{ value: "400", flag: "unflagged" }],
    },
    { flag: "unflagged", change: null, placement: null },
  ]);
});

test("where more is counted than marked, what has no mark is left to the report", () => {
  const told = presentResult(
    result({ summary: { normal: 0, abnormal: 2, critical: 0, total: 2 } }),
  );
  expect(told.reading.unclear).toBe("outside");
  expect(valuesOf(told).map(({ flag }) => flag)).toEqual(["low", "see_report"]);
});

test("beside an alert nothing is said of a change", () => {
  const told = presentResult(result({ alert: { level: "critical", count: 1 } }));
  expect(valuesOf(told).map(({ change }) => change)).toEqual([null, null]);
});

test("counts nothing of a result whose values stand in its report alone", () => {
  const none = { normal: 0, abnormal: 0, critical: 0, total: 0 };
  expect(presentResult(result({ summary: none, categories: [] })).summary).toBeNull();
  const told = presentResult(result({ categories: [] }));
  expect(told.summary).toBeNull();
  expect(told.reading.unclear).toBe("outside");
});
