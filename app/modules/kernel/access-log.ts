/** The one who opened something: by what right, not by name. */
export const ACCESS_PARTIES = ["staff", "customer", "link", "share"] as const;
export type AccessParty = (typeof ACCESS_PARTIES)[number];

/** Everything that can be seen, taken or changed of what is held about a person. */
export const ACCESS_KINDS = [
  "details_viewed",
  "details_saved",
  "form_opened",
  "result_viewed",
  "report_opened",
  "result_taken_as_fhir",
  "everything_exported",
  "share_created",
  "share_opened",
  "share_ended",
  "visits_ended",
  "data_erased",
  /** Staff said why they have to see the results. Each look of theirs is a `result_viewed` besides. */
  "results_unlocked",
  "data_export_opened",
] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** One line of the access log: ids and codes, never a name or a value. */
export interface NewAccessEntry {
  at: Date;
  who: AccessParty;
  /** `staff:{id}`; null for everybody else. */
  actor?: string | null;
  what: AccessKind;
  requestId: string;
  /** The result, document or share that it was about. */
  subjectId?: string | null;
}

export interface AccessEntry {
  at: Date;
  who: AccessParty;
  actor: string | null;
  what: AccessKind;
  requestId: string;
  subjectId: string | null;
}

export interface AccessLogRepository {
  add(...entries: NewAccessEntry[]): Promise<void>;
  /** The latest of these requests, newest first, at most `limit`. */
  forRequests(requestIds: readonly string[], limit: number): Promise<AccessEntry[]>;
}
