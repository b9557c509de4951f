/** Who was reached about a held result. A closed list: a free text would hold health data before long. */
export const CONTACTS = ["patient", "carer", "practitioner", "nobody"] as const;
export type ContactReached = (typeof CONTACTS)[number];
