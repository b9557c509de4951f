/** The one who saw, changed or asked: by what right, not by name. `unknown` was refused before anybody was recognised. */
export const ACCESS_PARTIES = [
  "staff",
  "customer",
  "link",
  "share",
  "job",
  "operator",
  "unknown",
] as const;
export type AccessParty = (typeof ACCESS_PARTIES)[number];

/** The people among them, whom a patient is told of (docs/sandbox.md, section 5). */
export const PEOPLE = ["staff", "customer", "link", "share"] as const satisfies AccessParty[];

/** What the merchant is shown in the settings: who may do what, and what changed. */
export const SETTING_KINDS = [
  "policies_changed",
  "clinical_texts_accepted",
  "reminders_changed",
  "alerts_changed",
  "retention_changed",
  "credentials_changed",
  "signing_changed",
  "connection_removed",
  "practitioners_changed",
  "role_changed",
  "staff_refused",
  "orders_exported",
  "sign_in_refused",
  "signature_refused",
] as const;
export type SettingKind = (typeof SETTING_KINDS)[number];

/** Entries about somebody whose details a customer keeps: about no request, and nothing of the shop's. */
export const SAVED_PATIENT_KINDS = [
  "saved_patient_added",
  "saved_patient_viewed",
  "saved_patient_changed",
  "saved_patient_deleted",
] as const;

/** Everything that can be seen, taken, changed or refused. */
export const ACCESS_KINDS = [
  "details_viewed",
  /** The patient's phone number alone, because no mail reaches them. */
  "phone_viewed",
  "details_saved",
  /** The patient's email address, on the order's page. */
  "address_viewed",
  /** Staff had an email sent once more, or copied a link that opens nothing, to give it to the customer. */
  "mail_sent_again",
  "link_copied",
  /** The service was sent the details, by a job. */
  "details_sent",
  "form_opened",
  "result_viewed",
  "report_opened",
  "result_taken_as_fhir",
  "everything_exported",
  "share_created",
  "share_opened",
  "share_ended",
  "visits_ended",
  /** A mailed code, or the passcode of a share, that opens nothing. */
  "code_refused",
  "data_erased",
  /** Consent was withdrawn after there were results, or given again. */
  "results_hidden",
  "results_shown_again",
  /** Staff said why they have to see the results. Each look of theirs is a `result_viewed` besides. */
  "results_unlocked",
  "results_released",
  /** A job put together what is held about a customer who asked. */
  "data_export_made",
  "data_export_opened",
  ...SAVED_PATIENT_KINDS,
  ...SETTING_KINDS,
  /** A command of whoever runs the installation; the detail says which. */
  "operator_command",
] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Codes, counts and names of settings. Never a name of a person, an address or a value from a result. */
export type AccessDetail = Record<string, string | number | boolean | null>;

/** One line of the access log: ids and codes, never a patient's name or a value. */
export interface NewAccessEntry {
  at: Date;
  who: AccessParty;
  /** `staff:{id}`; null for everybody else. Their name is added by the repository. */
  actor?: string | null;
  what: AccessKind;
  /** Null for what is about no request. */
  requestId?: string | null;
  /** The result, document, share or saved patient that it was about; the link by which details were saved. */
  subjectId?: string | null;
  detail?: AccessDetail | null;
}

export interface AccessEntry {
  at: Date;
  who: AccessParty;
  actor: string | null;
  /** The name of that member of staff, at that time. */
  actorName: string | null;
  what: AccessKind;
  requestId: string | null;
  subjectId: string | null;
  detail: AccessDetail | null;
}

export interface AccessLogRepository {
  add(...entries: NewAccessEntry[]): Promise<void>;
  /** The latest of these requests, newest first, at most `limit`; `who` narrows them. */
  forRequests(
    requestIds: readonly string[],
    limit: number,
    who?: readonly AccessParty[],
  ): Promise<AccessEntry[]>;
  /** The latest of these saved patients, newest first, at most `limit`. */
  forSavedPatients(ids: readonly string[], limit: number): Promise<AccessEntry[]>;
  /** The latest that are about the shop and no request, newest first, at most `limit`. */
  ofShop(limit: number): Promise<AccessEntry[]>;
  /**
   * How many signatures were refused at one place since then; of one connection, if its environment is given. What was noted
   * without one counts for each.
   */
  signaturesRefused(place: string, since: Date, environment?: string): Promise<number>;
}
