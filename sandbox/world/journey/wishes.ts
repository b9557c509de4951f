/** The intended order of a product of the sandbox store, by the names in the service's catalogue. */
export interface Wish {
  bundle?: RegExp;
  tests?: readonly RegExp[];
  medicareTests?: readonly RegExp[];
}

/** By SKU. A SKU that is neither here nor ignored (Vitamin D, "new" in the shop) is left unmapped on purpose. */
export const WISHES: Readonly<Record<string, Wish>> = {
  "EHC-01": { bundle: /^essential health check/i },
  "FE-STUDIES": { tests: [/^iron studies/i] },
  "TFT-TSH": { tests: [/^thyroid stimulating hormone/i] },
  "TFT-FULL": { bundle: /^thyroid check/i },
  "HORM-01": { bundle: /hormone check/i },
  // HbA1c is in the bundle too: the service leaves out the duplicate (interface §4.2 rule 4).
  "HEART-PLUS": { bundle: /^heart health check/i, tests: [/^HbA1c/i, /^omega-3/i] },
  "MED-DIAB": { medicareTests: [/^HbA1c/i, /^glucose \(fasting\)/i] },
};

/** Things in the shop that are no tests at all. */
export const IGNORED_SKUS = /^(SWAB|GIFT)-/;
