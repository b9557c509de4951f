/** Why a member of staff may look at results. A closed list: a free text would hold health data before long. */
export const STAFF_ACCESS_REASONS = [
  "review",
  "patient_asked",
  "result_disputed",
  "practitioner_asked",
  "complaint",
  "legal_request",
] as const;
export type StaffAccessReason = (typeof STAFF_ACCESS_REASONS)[number];

/** The reasons for which what is held about a customer who asked may be downloaded. */
export const DATA_EXPORT_REASONS = ["patient_asked", "legal_request"] as const;
export type DataExportReason = (typeof DATA_EXPORT_REASONS)[number];

/** One look at the results of one request, by one member of staff. */
export interface StaffAccess {
  id: string;
  requestId: string;
  /** The member of staff as the timeline names them: `staff:` and Shopify's user id. */
  staff: string;
  reason: StaffAccessReason;
  /** The case number of the merchant's own help desk. */
  caseNumber: string | null;
  openedAt: Date;
  /** The results are shown until then. */
  until: Date;
}

export interface StaffAccessRepository {
  add(access: StaffAccess): Promise<void>;
  /** This person's latest look at this request that is still open. */
  open(requestId: string, staff: string, now: Date): Promise<StaffAccess | null>;
}
