import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Biomarker, NumericBiomarker } from "../catalogue/entries.ts";
import type { Person } from "../referrals/referral.ts";
import { drawValue, roundFor, severityOf } from "./draw-value.ts";
import type { BiomarkerView, Measurement, RangeView, Severity } from "./measurement.ts";
import { createRandom } from "./random.ts";
import { additionalRangesFor, intervalFor } from "./reference-interval.ts";

/** The person of the sample, and the random numbers that decide. */
export interface MeasureContext {
  catalogue: Catalogue;
  person: Person;
  seed: string;
  /** Age in years on the day of collection. */
  ageYears: number;
}

function viewOf(
  { catalogue, person }: MeasureContext,
  biomarker: Biomarker,
  measured: { value: string; isAbnormal: boolean },
): BiomarkerView {
  const category = catalogue.categories.get(biomarker.category);
  if (!category) throw new Error(`unknown category ${biomarker.category}`);
  const numeric = biomarker.valueType === "numeric" ? biomarker : null;
  const [low, high] = numeric ? intervalFor(numeric, person.gender) : [null, null];
  const unit = numeric?.unit ?? "";
  return {
    id: biomarker.id,
    name: biomarker.name,
    object: "biomarker",
    commonName: biomarker.commonName,
    description: biomarker.description,
    value: measured.value,
    valueType: biomarker.valueType,
    subValueType: null,
    unit,
    formattedValue: unit === "" ? measured.value : `${measured.value} ${unit}`,
    isAbnormal: measured.isAbnormal,
    sampleType: biomarker.sampleType,
    notes: biomarker.notes ?? null,
    category: { ...category, object: "biomarker-category" },
    refIntervalLow: low,
    refIntervalHigh: high,
    additionalRanges: numeric ? additionalRangesFor(numeric, person.gender) : null,
  };
}

/** A measurement with a given number, as for values that are calculated from others. */
export function numericMeasurement(
  context: MeasureContext,
  biomarker: NumericBiomarker,
  value: number,
  wished: Severity = "normal",
): Measurement {
  const rounded = roundFor(biomarker, value);
  const interval = intervalFor(biomarker, context.person.gender);
  const severity = severityOf(biomarker, interval, rounded, wished);
  const text = rounded.toFixed(biomarker.decimals);
  return {
    severity,
    view: viewOf(context, biomarker, { value: text, isAbnormal: severity !== "normal" }),
  };
}

/** The additional range that fits the person: an age group, or the cycle phase of the day. */
function fittingRange(context: MeasureContext, ranges: RangeView[]): RangeView | undefined {
  const byAge = ranges.find((range) => {
    const [, from, to] = /^age-(\d+)-(\d+)$/.exec(range.id) ?? [];
    return context.ageYears >= Number(from) && context.ageYears <= Number(to);
  });
  const phase =
    context.ageYears >= 55
      ? "postmenopausal"
      : createRandom(`${context.seed}/phase`).pick(["follicular", "luteal", "mid-cycle"]);
  return byAge ?? ranges.find((range) => range.id === phase) ?? ranges[0];
}

/** Measures one biomarker; the seed, the biomarker and the wish alone decide the value. */
export function measure(
  context: MeasureContext,
  biomarker: Biomarker,
  wished: Severity,
): Measurement {
  const random = createRandom(`${context.seed}/${biomarker.id}/${wished}`);
  if (biomarker.valueType === "string") {
    const abnormal = wished !== "normal" && biomarker.abnormalValues.length > 0;
    const value = random.pick(abnormal ? biomarker.abnormalValues : biomarker.normalValues);
    return {
      severity: abnormal ? wished : "normal",
      view: viewOf(context, biomarker, { value, isAbnormal: abnormal }),
    };
  }
  const { gender } = context.person;
  const interval = intervalFor(biomarker, gender);
  const ranges = additionalRangesFor(biomarker, gender);
  const onlyRanges = interval[0] === null && interval[1] === null && ranges !== null;
  const fitting = onlyRanges ? fittingRange(context, ranges) : undefined;
  const { value } = fitting
    ? drawValue({
        random,
        biomarker,
        interval: [fitting.lowRange, fitting.highRange],
        wished: "normal",
        gender,
      })
    : drawValue({ random, biomarker, interval, wished, gender });
  return numericMeasurement(context, biomarker, value, wished);
}
