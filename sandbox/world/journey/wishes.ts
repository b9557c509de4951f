/** What a product of the sandbox store is meant to order, by the names in the service's catalogue. */
export interface Wish {
  bundle?: RegExp;
  tests?: readonly RegExp[];
  medicareTests?: readonly RegExp[];
}

/** By SKU. A SKU that is neither here nor ignored (Vitamin D, "new" in the shop) is left unmapped on purpose. */
export const WISHES: Readonly<Record<string, Wish>> = {
  "EHC-01": { bundle: /essential|general health|health check/i },
  "FE-STUDIES": { tests: [/iron studies/i] },
  "TFT-TSH": { tests: [/^TSH$|thyroid.stimulating/i] },
  "TFT-FULL": { bundle: /thyroid/i },
  "HORM-01": { bundle: /hormone/i },
  "HEART-PLUS": { bundle: /heart|cardi/i, tests: [/lipoprotein ?\(a\)|^Lp\(a\)/i, /HbA1c/i] },
  "MED-DIAB": { medicareTests: [/HbA1c/i, /glucose/i] },
};

/** Things in the shop that are no tests at all. */
export const IGNORED_SKUS = /^(SWAB|GIFT)-/;
