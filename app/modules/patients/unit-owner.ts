/** The owner of a unit: gives its details, and alone sees its form and results. */
export const UNIT_OWNERS = ["buyer", "patient"] as const;
export type UnitOwner = (typeof UNIT_OWNERS)[number];
