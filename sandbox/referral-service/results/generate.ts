import type { Biomarker } from "../catalogue/entries.ts";
import { applyDerivedValues, derivedAmong } from "./derived-values.ts";
import { type MeasureContext, measure } from "./measure.ts";
import type { Measurement, Severity } from "./measurement.ts";
import { createRandom } from "./random.ts";

/** The lab bench's wish; undefined leaves it to chance. */
export interface Direction {
  abnormal?: boolean | undefined;
  critical?: boolean | undefined;
}

/** How often a healthy-looking sample has a value out of range, when nobody directs. */
const abnormalShare = 0.08;

/** The same for texts such as "Detected", which mean far more than a value slightly too high. */
const abnormalTextShare = 0.03;

/** How often to draw again before calculated values are overruled. */
const maxDraws = 40;

function canBe(context: MeasureContext, biomarker: Biomarker, severity: Severity): boolean {
  return measure(context, biomarker, severity).severity === severity;
}

function wishes(
  context: MeasureContext,
  biomarkers: Biomarker[],
  direction: Direction,
): Map<string, Severity> {
  const wished = new Map<string, Severity>();
  for (const { id, valueType } of biomarkers) {
    const share = valueType === "string" ? abnormalTextShare : abnormalShare;
    const chance = createRandom(`${context.seed}/wish/${id}`).next();
    const byChance = direction.abnormal !== false && chance < share;
    wished.set(id, byChance ? "abnormal" : "normal");
  }
  // A calculated value follows from others, so wishing it out of range would come to nothing.
  const derived = derivedAmong(new Set(biomarkers.map((entry) => entry.id)));
  const drawn = biomarkers.filter((entry) => !derived.has(entry.id));
  const ranked = drawn.sort(
    (a, b) =>
      createRandom(`${context.seed}/rank/${a.id}`).next() -
      createRandom(`${context.seed}/rank/${b.id}`).next(),
  );
  const force = (severity: Severity, spare?: string) => {
    const chosen = ranked.find((entry) => entry.id !== spare && canBe(context, entry, severity));
    if (chosen) wished.set(chosen.id, severity);
    return chosen?.id;
  };
  const critical = direction.critical === true ? force("critical") : undefined;
  if (direction.abnormal === true) force("abnormal", critical);
  return wished;
}

/**
 * Measures biomarkers for a person. Equal seeds give equal values, whatever else is measured; no
 * value is critical unless the direction says so.
 */
export function generateMeasurements(
  context: MeasureContext,
  biomarkers: Biomarker[],
  direction: Direction,
): Measurement[] {
  let measurements: Measurement[] = [];
  for (let draw = 0; draw < maxDraws; draw += 1) {
    const attempt = draw === 0 ? context : { ...context, seed: `${context.seed}#${draw}` };
    const wished = wishes(context, biomarkers, direction);
    const drawn = biomarkers.map((entry) =>
      measure(attempt, entry, wished.get(entry.id) ?? "normal"),
    );
    measurements = applyDerivedValues(attempt, drawn);
    const clean = measurements.every((entry) => entry.severity === "normal");
    if (direction.abnormal !== false || clean) return measurements;
  }
  // Calculated values would not come out normal: report drawn ones, as the direction asks.
  return biomarkers.map((entry) => measure(context, entry, "normal"));
}
