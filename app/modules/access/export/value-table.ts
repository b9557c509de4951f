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

/** A number, which no spreadsheet takes for a formula although it may begin with a minus. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** The beginnings of what a spreadsheet takes for a formula, in full width as well. */
const FORMULA = /^[\s=+\-@|\uFF0B\uFF0D\uFF1D\uFF20]/u;

/** A cell that a spreadsheet shows as it is written here. */
const asText = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

/**
 * Every value of some results as CSV, one in a row. What a spreadsheet would take for a formula is made text. Every cell is
 * quoted: where a semicolon separates cells, a name with one would else begin another.
 */
export function valueTable(results: readonly ResultView[]): string {
  const rows = results.flatMap(({ patient, title, reportedOn, categories }) =>
    categories.flatMap(({ name: category, biomarkers }) =>
      biomarkers.map((one) =>
        [
          patient?.name ?? "",
          patient?.dob ?? "",
          title,
          reportedOn ?? "",
          category,
          one.name,
          one.value || one.formattedValue,
          one.unit,
          String(one.rangeLow ?? ""),
          String(one.rangeHigh ?? ""),
          one.isAbnormal ? "yes" : "no",
          one.notes ?? "",
        ].map(asText),
      ),
    ),
  );
  return stringify(rows, { header: true, columns: COLUMNS, bom: true, quoted_string: true });
}
