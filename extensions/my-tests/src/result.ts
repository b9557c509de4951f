import {
  flag,
  listOf,
  numeric,
  oneOf,
  optional,
  shape,
  text,
  textOrNumber,
} from "../../shared/read-json.ts";
import { readPart } from "../../shared/requests.ts";
import { FLAG_WORDS, type FlagWord } from "../../shared/result/flag-words.ts";

const readAdditionalRange = shape({
  id: text,
  name: text,
  /** null: open-ended on this side. */
  low: optional(numeric),
  high: optional(numeric),
});

/** The words beside a value. An app of an earlier version leaves them to the report. */
const readFlag = optional(oneOf(FLAG_WORDS, "see_report"));

const readEarlier = shape({
  date: text,
  value: textOrNumber,
  formattedValue: optional(text),
  isAbnormal: flag,
  flag: readFlag,
});

const readBiomarker = shape({
  id: text,
  name: text,
  commonName: optional(text),
  /** The service's own words for the thing that is measured. */
  description: optional(text),
  sampleType: optional(text),
  /** With unit; what people read. */
  formattedValue: optional(text),
  value: textOrNumber,
  unit: optional(text),
  isAbnormal: flag,
  /** The laboratory's remark. */
  notes: optional(text),
  rangeLow: optional(numeric),
  rangeHigh: optional(numeric),
  flag: readFlag,
  /** How it stands to the same person's one before it; null where nothing is said of that. */
  change: optional(oneOf(["higher", "lower", "same"], "same")),
  /** Where it lies on the bar of its range; null where that cannot be drawn. */
  placement: optional(shape({ lowPercent: numeric, highPercent: numeric, valuePercent: numeric })),
  additionalRanges: optional(listOf(readAdditionalRange)),
  /** The same person's earlier values, oldest first. */
  history: optional(listOf(readEarlier)),
});

/** A released result, as GET /api/customer/results/{id} answers it. */
export const readResult = shape({
  id: text,
  title: text,
  /** The referral of two that the result came of; null where the unit has one. */
  part: optional(readPart),
  partial: flag,
  /** When values that were shown were last corrected; null when none was. */
  correctedAt: optional(text),
  resultDate: optional(text),
  /** The shop's, as IANA names it. */
  timeZone: optional(text),
  /** The person whose blood it is; null when the test was ordered before the app knew. */
  patient: optional(shape({ name: text, dob: text })),
  unit: optional(shape({ number: numeric, of: numeric })),
  /** Other results of the same test that can be seen. */
  others: optional(listOf(shape({ id: text, reportedOn: optional(text) }))),
  /** The part before everything else, in the app's own words. */
  alert: optional(
    shape({
      level: text,
      count: numeric,
      heading: text,
      text,
      actions: listOf(shape({ label: text, href: text })),
    }),
  ),
  /** Whether the service counted its values. */
  summary: optional(shape({})),
  /** How the values are to be read as a whole. An app of an earlier version does not say. */
  reading: optional(
    shape({
      /** The marks do not say which values the service counts as critical, or as outside their range. Null when they do. */
      unclear: optional(oneOf(["critical", "outside"], "outside")),
      /** How many values have which words. Flagged ones are "outside". */
      counts: shape({ outside: numeric, within: numeric, unflagged: numeric, see_report: numeric }),
      /** Whether the one flagged value is a number beyond its range, as one of many values of healthy people is. */
      isOneNumber: flag,
    }),
  ),
  categories: listOf(
    shape({
      id: text,
      name: text,
      /** How many of its values are flagged. */
      outside: optional(numeric),
      says: optional(oneOf(["outside", "in_range", "number"], "number")),
      biomarkers: listOf(readBiomarker),
    }),
  ),
});

export type Result = ReturnType<typeof readResult>;
export type Biomarker = ReturnType<typeof readBiomarker>;
export type AdditionalRange = ReturnType<typeof readAdditionalRange>;

/** The words that say how a value is to be taken; never colour alone. */
export const flagOf = ({ flag, isAbnormal }: Pick<Biomarker, "flag" | "isAbnormal">): FlagWord =>
  flag ?? (isAbnormal ? "abnormal" : "see_report");
