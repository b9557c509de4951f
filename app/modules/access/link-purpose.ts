/** The purposes of mailed links. A link opens its purpose and nothing more (docs/decisions/0016). */
export const LINK_PURPOSES = [
  /** Asks for the details: of a guest's whole order, of a patient's unit. */
  "details",
  /** Invites a patient to give their own details. */
  "invitation",
  /** Asks to change details that were given. */
  "correction",
  "form",
  "results",
  /** Tells where an order stands, and opens nothing. */
  "status",
  /** Ends reminders; lets nobody in. */
  "stop",
] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** The parts of a unit that can be opened. `details`: give, read and change them, and choose who fills them in. */
export type Opening = "details" | "form" | "results";

/** The form belongs to the results' link: both need the mailed code there. */
export const OPENED_BY: Record<LinkPurpose, readonly Opening[]> = {
  details: ["details"],
  invitation: ["details"],
  correction: ["details"],
  form: ["form"],
  results: ["results", "form"],
  status: [],
  stop: [],
};
