import type { Interval, NumericBiomarker } from "../catalogue/entries.ts";
import type { Person } from "../referrals/referral.ts";
import type { Severity } from "./measurement.ts";
import type { Random } from "./random.ts";
import { isOutside } from "./reference-interval.ts";

/** The smallest step that the number of decimals can show. */
function stepOf(biomarker: NumericBiomarker): number {
  return 10 ** -biomarker.decimals;
}

/** Rounds to the decimals that the laboratory reports. */
export function roundFor(biomarker: NumericBiomarker, value: number): number {
  return Number(value.toFixed(biomarker.decimals));
}

/** A value well inside [low, high]; wide positive intervals are skewed, as in nature. */
function drawInside(random: Random, low: number, high: number): number {
  const skewed = low > 0 && high / low > 5;
  const [from, to] = skewed ? [Math.log(low), Math.log(high)] : [low, high];
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const value = (from + to) / 2 + ((to - from) / 4.5) * random.gaussian();
    if (value > from && value < to) return skewed ? Math.exp(value) : value;
  }
  return skewed ? Math.exp((from + to) / 2) : (low + high) / 2;
}

/** Returns the values of healthy people: the typical part of the interval, which also closes open sides. */
function healthySpan(
  biomarker: NumericBiomarker,
  [low, high]: Interval,
  gender: Person["gender"],
): [number, number] {
  const { typical = biomarker.plausible } = biomarker;
  const [least, most] = Array.isArray(typical) ? typical : typical[gender];
  const from = Math.max(least, low ?? least);
  const to = Math.min(most, high ?? most);
  return from <= to ? [from, to] : [low ?? from, high ?? to];
}

function drawBeyond(options: {
  random: Random;
  biomarker: NumericBiomarker;
  interval: Interval;
  critical: boolean;
}): number | null {
  const { random, biomarker, interval, critical } = options;
  const [low, high] = interval;
  const [least, most] = biomarker.plausible;
  const [criticalLow, criticalHigh] = biomarker.critical ?? [null, null];
  const step = stepOf(biomarker);
  const spans: [number, number][] = [];
  if (high !== null && most > high + step) {
    if (!critical) spans.push([high + step, Math.min(criticalHigh ?? most, most)]);
    else if (criticalHigh !== null) spans.push([criticalHigh + step, most]);
    else if (criticalLow === null) spans.push([high + (most - high) * 0.7, most]);
  }
  if (low !== null && least < low - step) {
    if (!critical) spans.push([low - step, Math.max(criticalLow ?? least, least)]);
    else if (criticalLow !== null) spans.push([criticalLow - step, least]);
    else if (criticalHigh === null && high === null) spans.push([low - (low - least) * 0.7, least]);
  }
  if (spans.length === 0) return null;
  const [near, far] = random.pick(spans);
  const share = random.next() ** 2 * (critical ? 1 : 0.6);
  // Markers that can rise a hundredfold mostly rise a little.
  return near > 0 && far / near > 5 ? near * (far / near) ** share : near + (far - near) * share;
}

/**
 * Draws a value of the wished severity and rounds it to what is reported. The severity returned is
 * that of the rounded value, which may be normal when a biomarker has nothing beyond its interval.
 */
export function drawValue(options: {
  random: Random;
  biomarker: NumericBiomarker;
  interval: Interval;
  wished: Severity;
  gender: Person["gender"];
}): { value: number; severity: Severity } {
  const { random, biomarker, interval, wished, gender } = options;
  const beyond =
    wished === "normal"
      ? null
      : drawBeyond({ random, biomarker, interval, critical: wished === "critical" });
  const drawn = beyond ?? drawInside(random, ...healthySpan(biomarker, interval, gender));
  const value = roundFor(biomarker, drawn);
  return { value, severity: severityOf(biomarker, interval, value, wished) };
}

/** The severity of a reported value; biomarkers without critical limits are critical only by wish. */
export function severityOf(
  biomarker: NumericBiomarker,
  interval: Interval,
  value: number,
  wished: Severity = "normal",
): Severity {
  if (!isOutside(value, interval)) return "normal";
  if (biomarker.critical) return isOutside(value, biomarker.critical) ? "critical" : "abnormal";
  return wished === "critical" ? "critical" : "abnormal";
}
