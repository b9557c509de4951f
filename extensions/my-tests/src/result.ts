import {
  flag,
  listOf,
  numeric,
  optional,
  shape,
  text,
  textOrNumber,
} from "../../shared/read-json.ts";
import { readPart } from "../../shared/requests.ts";

const readAdditionalRange = shape({
  id: text,
  name: text,
  category: optional(text),
  /** null: open-ended on this side. */
  low: optional(numeric),
  high: optional(numeric),
});

const readEarlier = shape({
  date: text,
  value: textOrNumber,
  formattedValue: optional(text),
  isAbnormal: flag,
  /** Its result had more values counted as outside range than marked: this may be one. */
  isUnclear: optional(flag),
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
  status: text,
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
  summary: optional(
    shape({ normal: numeric, abnormal: numeric, critical: numeric, total: numeric }),
  ),
  categories: listOf(shape({ id: text, name: text, biomarkers: listOf(readBiomarker) })),
});

export type Result = ReturnType<typeof readResult>;
export type Biomarker = ReturnType<typeof readBiomarker>;
export type AdditionalRange = ReturnType<typeof readAdditionalRange>;
