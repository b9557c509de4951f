import { type MeasureContext, numericMeasurement } from "./measure.ts";
import type { Measurement } from "./measurement.ts";

type Values = (id: string) => number;

/** Chronic kidney disease epidemiology equation of 2009, which Australian laboratories report. */
function eGfr(creatinineMicromoles: number, context: MeasureContext): number {
  const female = context.person.gender === "female";
  const kappa = female ? 0.7 : 0.9;
  const ratio = creatinineMicromoles / 88.4 / kappa;
  return (
    141 *
    Math.min(ratio, 1) ** (female ? -0.329 : -0.411) *
    Math.max(ratio, 1) ** -1.209 *
    0.993 ** context.ageYears *
    (female ? 1.018 : 1)
  );
}

/** Vermeulen's equation with albumin at 43 g/L: nmol/L of testosterone and SHBG to pmol/L. */
function freeTestosterone(testosterone: number, shbg: number): number {
  const albuminBinding = 1 + 3.6e4 * (43 / 69_000);
  const affinity = 1e9;
  const total = testosterone * 1e-9;
  const linear = albuminBinding + affinity * (shbg * 1e-9 - total);
  const root = Math.sqrt(linear ** 2 + 4 * albuminBinding * affinity * total);
  return ((root - linear) / (2 * albuminBinding * affinity)) * 1e12;
}

interface Formula {
  id: string;
  from: string[];
  calculate: (value: Values, context: MeasureContext) => number;
}

/** Values that a laboratory calculates; a report that got them wrong would not be believed. */
const formulas: Formula[] = [
  {
    id: "haematocrit",
    from: ["haemoglobin", "mchc"],
    calculate: (v) => v("haemoglobin") / v("mchc"),
  },
  {
    id: "red-cell-count",
    from: ["haematocrit", "mcv"],
    calculate: (v) => (v("haematocrit") * 1000) / v("mcv"),
  },
  {
    id: "mch",
    from: ["mcv", "mchc"],
    calculate: (v) => (v("mcv") * v("mchc")) / 1000,
  },
  {
    id: "white-cell-count",
    from: ["neutrophils", "lymphocytes", "monocytes", "eosinophils", "basophils"],
    calculate: (v) =>
      v("neutrophils") + v("lymphocytes") + v("monocytes") + v("eosinophils") + v("basophils"),
  },
  { id: "egfr", from: ["creatinine"], calculate: (v, context) => eGfr(v("creatinine"), context) },
  {
    // Measured in truth; drawn from the gap, so that low sodium comes with low chloride.
    id: "chloride",
    from: ["sodium", "anion-gap", "bicarbonate"],
    calculate: (v) => v("sodium") - v("anion-gap") - v("bicarbonate"),
  },
  {
    id: "total-protein",
    from: ["albumin", "globulin"],
    calculate: (v) => v("albumin") + v("globulin"),
  },
  {
    id: "corrected-calcium",
    from: ["calcium", "albumin"],
    calculate: (v) => v("calcium") + 0.02 * (40 - v("albumin")),
  },
  {
    id: "ldl-cholesterol",
    from: ["total-cholesterol", "hdl-cholesterol", "triglycerides"],
    calculate: (v) => v("total-cholesterol") - v("hdl-cholesterol") - v("triglycerides") / 2.2,
  },
  {
    id: "non-hdl-cholesterol",
    from: ["total-cholesterol", "hdl-cholesterol"],
    calculate: (v) => v("total-cholesterol") - v("hdl-cholesterol"),
  },
  {
    id: "cholesterol-hdl-ratio",
    from: ["total-cholesterol", "hdl-cholesterol"],
    calculate: (v) => v("total-cholesterol") / v("hdl-cholesterol"),
  },
  {
    id: "transferrin-saturation",
    from: ["iron", "transferrin"],
    calculate: (v) => (v("iron") / (v("transferrin") * 25.1)) * 100,
  },
  {
    id: "free-androgen-index",
    from: ["testosterone", "shbg"],
    calculate: (v) => (v("testosterone") / v("shbg")) * 100,
  },
  {
    id: "hba1c-ifcc",
    from: ["hba1c"],
    calculate: (v) => (v("hba1c") - 2.152) / 0.09148,
  },
  {
    id: "homa-ir",
    from: ["glucose-fasting", "insulin-fasting"],
    calculate: (v) => (v("glucose-fasting") * v("insulin-fasting")) / 22.5,
  },
  {
    id: "urine-albumin-creatinine-ratio",
    from: ["urine-albumin", "urine-creatinine"],
    calculate: (v) => v("urine-albumin") / v("urine-creatinine"),
  },
  {
    id: "psa-free",
    from: ["psa-total", "psa-free-ratio"],
    calculate: (v) => (v("psa-total") * v("psa-free-ratio")) / 100,
  },
  {
    id: "free-testosterone",
    from: ["testosterone", "shbg"],
    calculate: (v) => freeTestosterone(v("testosterone"), v("shbg")),
  },
];

/** The biomarkers whose values are calculated when these are measured together. */
export function derivedAmong(ids: ReadonlySet<string>): Set<string> {
  const derived = formulas.filter(
    (formula) => ids.has(formula.id) && formula.from.every((id) => ids.has(id)),
  );
  return new Set(derived.map((formula) => formula.id));
}

/**
 * Replaces drawn values by calculated ones wherever everything they are calculated from is there.
 * Uses reported (rounded) values, so that a reader can check the sums.
 */
export function applyDerivedValues(
  context: MeasureContext,
  measurements: Measurement[],
): Measurement[] {
  const byId = new Map(measurements.map((entry) => [entry.view.id, entry]));
  const value: Values = (id) => Number(byId.get(id)?.view.value);
  for (const formula of formulas) {
    const biomarker = context.catalogue.biomarkers.get(formula.id);
    if (!byId.has(formula.id) || biomarker?.valueType !== "numeric") continue;
    if (!formula.from.every((id) => byId.has(id))) continue;
    const [least, most] = biomarker.plausible;
    const calculated = Math.min(most, Math.max(least, formula.calculate(value, context)));
    byId.set(formula.id, numericMeasurement(context, biomarker, calculated));
  }
  return [...byId.values()];
}
