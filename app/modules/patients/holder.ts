/** Who holds a unit: gives its details, and alone sees its form and results. */
export const HOLDERS = ["buyer", "patient"] as const;
export type Holder = (typeof HOLDERS)[number];
