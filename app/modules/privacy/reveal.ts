/** Why a member of staff may look at results. A closed list: a free text would hold health data before long. */
export const REVEAL_REASONS = [
  "review",
  "patient_asked",
  "result_disputed",
  "practitioner_asked",
  "complaint",
  "legal_request",
] as const;
export type RevealReason = (typeof REVEAL_REASONS)[number];

/** One look at the results of one request, by one member of staff. */
export interface Reveal {
  id: string;
  requestId: string;
  /** As the timeline names them: `staff:` and Shopify's user id. */
  staff: string;
  reason: RevealReason;
  /** Of the merchant's own help desk. */
  caseNumber: string | null;
  revealedAt: Date;
  /** The results are shown until then. */
  until: Date;
}

export interface RevealRepository {
  add(reveal: Reveal): Promise<void>;
  /** This person's latest look at this request that is still open. */
  open(requestId: string, staff: string, now: Date): Promise<Reveal | null>;
}
