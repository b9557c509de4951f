/** The columns of a mapping file, in the order in which they are written. Only variant_id or sku is needed. */
export const COLUMNS = [
  "variant_id",
  "product",
  "variant",
  "sku",
  "kind",
  "bundle",
  "tests",
  "medicare_tests",
  "practitioner_provider_number",
  "clinical_notes",
  "preparation",
] as const;
export type Column = (typeof COLUMNS)[number];

/** Between the names of a list of tests: commas are in names, and semicolons are the separator of some files. */
export const LIST_SEPARATOR = "|";

/** The words for `kind`. */
export const KIND_WORDS = { order: "test", ignored: "not a test", unmapped: "unmapped" } as const;
