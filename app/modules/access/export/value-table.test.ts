import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { arrange } from "../open-result.ts";
import { valueTable } from "./value-table.ts";

/** The table of one value that the laboratory wrote so. */
function cellsOf(
  change: Partial<ReturnType<typeof resultSnapshot>["biomarkers"][number]>,
  partial = false,
  biomarkerSummary: ReturnType<typeof resultSnapshot>["biomarkerSummary"] = null,
) {
  const snapshot = resultSnapshot({ biomarkerSummary });
  const [one] = snapshot.biomarkers;
  if (!one) throw new Error("There is no biomarker");
  const written = { ...snapshot, biomarkers: [{ ...one, ...change }] };
  const view = {
    ...arrange(written, { title: "=1+1", partial, timeZone: "Australia/Sydney" }),
    patient: null,
    unit: null,
    others: [],
  };
  const text = valueTable([{ ...view, title: "=1+1" }]);
  const [row] = parse<Record<string, string>>(text, { columns: true, bom: true });
  return { text, row };
}

test.each(["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", "\t=1", "\uFF1D1", " =1"])(
  "makes text of %j, which a spreadsheet would compute",
  (formula) => {
    const { row } = cellsOf({ name: formula, notes: formula });
    expect(row).toMatchObject({ Name: `'${formula}`, Notes: `'${formula}`, Test: "'=1+1" });
  },
);

test("leaves numbers as they are, with a minus before them too", () => {
  const { row } = cellsOf({ value: "-2.1", refIntervalLow: -3, refIntervalHigh: 3 });
  expect(row).toMatchObject({ Value: "-2.1", "Range from": "-3", "Range to": "3" });
});

test("quotes a cell that would be two where semicolons separate them", () => {
  expect(cellsOf({ notes: "low;=1+1" }).text).toContain('"low;=1+1"');
});

test.each(["1:640", "1/2", "5-10 /HPF", "0-2"])(
  "makes text of %s, which a spreadsheet would take for a time or a date",
  (value) => {
    expect(cellsOf({ value }).row?.Value).toBe(`'${value}`);
  },
);

test.each(["5.4", "<0.01", ">1000", "-2.1", "1,200", "Not detected", "H-1"])(
  "leaves the value %s as the laboratory wrote it",
  (value) => {
    expect(cellsOf({ value }).row?.Value).toBe(value);
  },
);

test("says whose mark it is, whether the report is complete, and which ranges stand beside the usual one", () => {
  const range = { name: "Follicular phase", category: "female-hormone", id: "follicular" };
  const additionalRanges = [
    { ...range, lowRange: 1, highRange: 3 },
    { ...range, name: "High risk", lowRange: null, highRange: 2.5 },
  ];
  expect(cellsOf({ additionalRanges, isAbnormal: true }, true).row).toMatchObject({
    Report: "partial",
    "Other ranges": "Follicular phase: 1 to 3; High risk: up to 2.5",
    "Flagged by the laboratory": "yes",
  });
  expect(cellsOf({}).row).toMatchObject({ Report: "complete", "Other ranges": "" });
});

test("calls no value unflagged that may be one which the laboratory counts as critical, or contradicts its range", () => {
  const flagged = (...how: Parameters<typeof cellsOf>) =>
    cellsOf(...how).row?.["Flagged by the laboratory"];
  const fine = { isAbnormal: false, value: "5", refIntervalLow: 1, refIntervalHigh: 10 };
  const critical = { normal: 8, abnormal: 0, critical: 1, total: 9 };
  expect(flagged(fine)).toBe("no");
  expect(flagged(fine, false, critical)).toBe("see the report");
  expect(flagged({ ...fine, isAbnormal: true }, false, critical)).toBe("yes");
  expect(flagged({ ...fine, value: "12" })).toBe("see the report");
});
