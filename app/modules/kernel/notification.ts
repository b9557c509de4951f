import { AppError } from "../../platform/errors.ts";
import type { ShopDomain } from "./ids.ts";

/** Mails to customers and patients, and to the shop about them. None of them carries health content. */
export const NOTIFICATION_KINDS = [
  "details_needed",
  "details_reminder",
  "correction_needed",
  "correction_refused",
  "unit_for_you",
  "link_renewed",
  "correction_link",
  "order_delayed",
  "form_ready",
  "form_corrected",
  "results_available",
  "results_today",
  "state_changed",
  "details_given",
  "ring_today",
  "review_due",
  "review_today",
  "urgent_result_shown",
  "results_elsewhere",
  "patients_waiting",
  "patient_unreachable",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Mails about news of a test. News of one order that come close together are put into one mail. */
export const NEWS_KINDS = [
  "form_ready",
  "form_corrected",
  "results_available",
  "state_changed",
] as const;
export type NewsKind = (typeof NEWS_KINDS)[number];

/** Whether a mail tells news of a test, and waits for others of its order. */
export const isNewsKind = (kind: NotificationKind): kind is NewsKind =>
  NEWS_KINDS.some((one) => one === kind);

/** Mails to the shop: its reviewer and the address that Shopify writes to. All others go to buyers and patients. */
export const STAFF_KINDS = [
  "review_due",
  "review_today",
  "urgent_result_shown",
  "patients_waiting",
  "patient_unreachable",
] as const;
export type StaffKind = (typeof STAFF_KINDS)[number];

/** Whether a mail goes to the shop, and to no buyer or patient. */
export const isStaffKind = (kind: NotificationKind): kind is StaffKind =>
  STAFF_KINDS.some((one) => one === kind);

/** One mail: due once for each occurrence of its kind. */
export interface DueNotification {
  requestId: string;
  kind: NotificationKind;
  /** Tells mails of one kind apart that may come more than once; empty for the others. */
  occurrence?: string;
}

/** The shop's own people whom a mail to the shop is for. */
export const STAFF_READERS = ["reviewer", "contact"] as const;
export type StaffReader = (typeof STAFF_READERS)[number];

/** The mail to the shop for one of its readers alone: the server refused that one, and took it for the others. */
export const toReader = (due: DueNotification, reader: StaffReader): Required<DueNotification> => ({
  ...due,
  occurrence: `${due.occurrence ?? ""} to ${reader}`.trim(),
});

/** The one whom a mail to the shop is for alone, and its occurrence for all; null when it is for all. */
export function readerOfOccurrence(occurrence = ""): {
  reader: StaffReader | null;
  occurrence: string;
} {
  const reader = STAFF_READERS.find((one) => ` ${occurrence}`.endsWith(` to ${one}`)) ?? null;
  return {
    reader,
    occurrence: reader ? occurrence.slice(0, -`to ${reader}`.length).trim() : occurrence,
  };
}

/** The occurrence of a mail that asks for details once more, because staff want it. */
export const ASKED_AGAIN = "again";

/** A mail as it stands: sent, or still to be. */
export interface NotedMail extends Required<DueNotification> {
  notedAt: Date;
  sentAt: Date | null;
  /** Keyed hash of the address that took it; null where none was recorded. */
  recipient: Buffer | null;
}

/** A server refuses a mail for now: since when, when last, and a keyed hash of the addresses that it refuses. */
export interface PutOff {
  since: Date;
  last: Date;
  by: Buffer;
}

export interface NotificationRepository {
  /** Notes that a mail is due; false when it was noted before. */
  note(due: DueNotification, at: Date): Promise<boolean>;
  /** Notes it unless it is noted already, for whoever need not know which. */
  noteOnce(due: DueNotification, at: Date): Promise<void>;
  /** How many have become due for a request since then, however often each was tried to be sent. */
  countSince(requestId: string, since: Date, kinds?: readonly NotificationKind[]): Promise<number>;
  /** For which of these requests a mail of this kind was noted, and whether it was sent. */
  noted(
    requestIds: string[],
    kind: NotificationKind,
  ): Promise<{ requestId: string; isSent: boolean }[]>;
  /** Whether one of this kind and occurrence was noted, for whichever request. */
  isNoted(kind: NotificationKind, occurrence: string): Promise<boolean>;
  /** Lets it become due again. */
  forget(due: DueNotification): Promise<void>;
  /** Those of these requests and kinds that were recorded and not sent, with when, oldest first. */
  waiting(
    requestIds: string[],
    kinds: readonly NotificationKind[],
  ): Promise<(DueNotification & { notedAt: Date })[]>;
  /** Has a mail that was sent be due again, noted anew, because somebody asks for it. */
  reopen(due: DueNotification, at: Date): Promise<void>;
  /** Every mail of these requests, newest first. */
  ofRequests(requestIds: string[]): Promise<NotedMail[]>;
  /**
   * When it was noted, and when it was sent, or null while it is not; null when it was not noted. `unclearUntil`, `putOff`: as
   * `markUnclear` and `markPutOff` noted them.
   */
  find(due: DueNotification): Promise<{
    notedAt: Date;
    sentAt: Date | null;
    unclearUntil: Date | null;
    putOff: PutOff | null;
  } | null>;
  /** Notes since when the server puts off a mail that is not sent; null when that is over. */
  markPutOff(due: DueNotification, putOff: PutOff | null): Promise<void>;
  /**
   * Notes until when a mail that is not sent is left to the job that knows since when the server has had it without an answer; null
   * when nobody tries it for that any more.
   */
  markUnclear(due: DueNotification, until: Date | null): Promise<void>;
  /** Those that were noted and not sent, oldest first; of these requests, or of all. */
  unsent(requestIds?: string[]): Promise<DueNotification[]>;
  /**
   * Marks those of one mail that were not, with one statement however many they are. Returns which: one that was erased
   * meanwhile is none of them.
   */
  markAllSent(
    due: readonly DueNotification[],
    at: Date,
    recipient: Buffer | null,
  ): Promise<DueNotification[]>;
  /**
   * Returns whether it still was there: the shop may have been erased while the mail was on its way. `recipient`: the keyed
   * hash of the reader's address; null for a mail to the shop.
   */
  markSent(due: DueNotification, at: Date, recipient?: Buffer | null): Promise<boolean>;
  /** Keyed hash of words, for the journal of mails: equal for equal words of one shop, and nobody without its key can guess them. */
  hashOf(...words: string[]): string;
}

export interface Mail {
  /** One address. */
  to: string;
  /** Further people of the shop's own who get the same mail. */
  alsoTo?: string[];
  subject: string;
  text: string;
  html: string;
  /** The sender's name as the recipient knows it: the shop. */
  fromName: string | null;
  /** Where one click ends mails of this kind (RFC 8058). */
  unsubscribeUrl: string | null;
  /** Tells this mail from every other, and is the same each time that it is tried: mail programs fold its doubles. */
  key?: string;
}

/**
 * The outgoing server had the whole mail and never said whether it takes it. It is tried again as a job of its own, seldom and
 * not for ever (`unclear-mails.ts`); this one ends.
 */
export class MailUnclearError extends AppError {
  readonly code = "mail_unclear";
  readonly retryable = false;

  constructor(cause?: unknown) {
    super("mail_unclear", { cause });
    this.name = "MailUnclearError";
  }
}

/**
 * The outgoing server refused a mail at its recipient: for good, because the address is none, or for now. Every other failure
 * is the server's, and says nothing about the address.
 */
export class RecipientRefusedError extends AppError {
  readonly code = "mail_recipient_refused";
  readonly isFinal: boolean;
  readonly retryable: boolean;

  constructor(isFinal: boolean, cause?: unknown) {
    super("mail_recipient_refused", { cause });
    this.name = "RecipientRefusedError";
    this.isFinal = isFinal;
    this.retryable = !isFinal;
  }
}

/**
 * Port: hands a mail to the outgoing server; throws when it did not take it. Returns the addresses that the server refused, for
 * good or for now, while it took the mail for the others.
 */
export interface Mailer {
  send(shop: ShopDomain, mail: Mail): Promise<string[]>;
}
