import { stringify } from "csv-stringify/sync";
import type { ResultView } from "../open-result.ts";

const COLUMNS = [
  "Patient",
  "Date of birth",
  "Test",
  "Reported on",
  "Category",
  "Name",
  "Value",
  "Unit",
  "Range from",
  "Range to",
  "Outside range",
  "Notes",
];

/** Every value of some results as CSV, one in a row. What a spreadsheet would take for a formula is made text. */
export function valueTable(results: readonly ResultView[]): string {
  const rows = results.flatMap(({ patient, title, reportedOn, categories }) =>
    categories.flatMap(({ name: category, biomarkers }) =>
      biomarkers.map((one) => [
        patient?.name ?? "",
        patient?.dob ?? "",
        title,
        reportedOn ?? "",
        category,
        one.name,
        one.value || one.formattedValue,
        one.unit,
        one.rangeLow ?? "",
        one.rangeHigh ?? "",
        one.isAbnormal ? "yes" : "no",
        one.notes ?? "",
      ]),
    ),
  );
  return stringify(rows, { header: true, columns: COLUMNS, bom: true, escape_formulas: true });
}
