import { stringify } from "csv-stringify/sync";
import { flagBeside, flagOf } from "../../referrals/range.ts";
import { arrangeResult } from "../arrange-values.ts";
import type { BiomarkerView, ResultView } from "../open-result.ts";

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

/** The laboratory's mark. Where the report has to say how a value is to be taken, no mark does not stand for none. */
function markOf(biomarker: BiomarkerView, isUnclear: boolean): string {
  if (biomarker.isAbnormal) return "yes";
  return flagBeside(biomarker, isUnclear) === "see_report" ? "see the report" : "no";
}

/**
 * Every value of some results as CSV, one in a row. What a spreadsheet would take for a formula is made text. Every cell is
 * quoted: where a semicolon separates cells, a name with one would else begin another.
 */
export function valueTable(results: readonly ResultView[]): string {
  const rows = results.flatMap((result) => {
    const { patient, title, reportedOn, partial, categories } = result;
    const isUnclear = arrangeResult(categories, result, flagOf).unclear !== null;
    return categories.flatMap(({ name: category, biomarkers }) =>
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
          markOf(one, isUnclear),
          one.notes ?? "",
        ].map(asText),
      ),
    );
  });
  return stringify(rows, { header: true, columns: COLUMNS, bom: true, quoted_string: true });
}
