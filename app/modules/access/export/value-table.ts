import { stringify } from "csv-stringify/sync";
import type { ResultView } from "../open-result.ts";

const COLUMNS = [
  "Patient",
  "Date of birth",
  "Test",
  "Reported on",
  "Report",
  "Category",
  "Name",
  "Value",
  "Unit",
  "Range from",
  "Range to",
  "Other ranges",
  "Flagged by the laboratory",
  "Notes",
];

/** A number, which no spreadsheet takes for a formula although it may begin with a minus. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** The beginnings of what a spreadsheet takes for a formula, in full width as well. */
const FORMULA = /^[\s=+\-@|\uFF0B\uFF0D\uFF1D\uFF20]/u;

/** A titre, a fraction or a span of counts, which a spreadsheet turns into a time or a date: "1:40", "1/2", "5-10". */
const MOMENT = /^\d+\s*[:/-]\s*\d/;

/** A cell that a spreadsheet shows as it is written here. */
const asText = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

const valueAsText = (value: string): string => (MOMENT.test(value.trim()) ? `'${value}` : value);

const boundsOf = ({ low, high }: { low: number | null; high: number | null }): string =>
  low !== null && high !== null
    ? `${low} to ${high}`
    : high !== null
      ? `up to ${high}`
      : low !== null
        ? `from ${low}`
        : "no limits given";

/**
 * Every value of some results as CSV, one in a row. What a spreadsheet would take for a formula is made text. Every cell is
 * quoted: where a semicolon separates cells, a name with one would else begin another.
 */
export function valueTable(results: readonly ResultView[]): string {
  const rows = results.flatMap(({ patient, title, reportedOn, partial, categories }) =>
    categories.flatMap(({ name: category, biomarkers }) =>
      biomarkers.map((one) =>
        [
          patient?.name ?? "",
          patient?.dob ?? "",
          title,
          reportedOn ?? "",
          partial ? "partial" : "complete",
          category,
          one.name,
          valueAsText(one.value || one.formattedValue),
          one.unit,
          String(one.rangeLow ?? ""),
          String(one.rangeHigh ?? ""),
          one.additionalRanges.map((range) => `${range.name}: ${boundsOf(range)}`).join("; "),
          one.isAbnormal ? "yes" : "no",
          one.notes ?? "",
        ].map(asText),
      ),
    ),
  );
  return stringify(rows, { header: true, columns: COLUMNS, bom: true, quoted_string: true });
}
