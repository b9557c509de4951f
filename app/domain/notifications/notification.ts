import type { ShopDomain } from "../ids.ts";

/** Mails to a shopper. None of them carries health content. */
export const NOTIFICATION_KINDS = ["details_needed", "form_ready", "results_available"] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export interface NotificationRepository {
  /** Notes that a mail is due; false when it was noted before. */
  note(requestId: string, kind: NotificationKind, at: Date): Promise<boolean>;
  /** Lets it become due again. */
  forget(requestId: string, kind: NotificationKind): Promise<void>;
  isSent(requestId: string, kind: NotificationKind): Promise<boolean>;
  /** Those that were noted and not sent, oldest first. */
  unsent(): Promise<{ requestId: string; kind: NotificationKind }[]>;
  markSent(requestId: string, kind: NotificationKind, at: Date): Promise<void>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Port: hands a mail to the outgoing server; throws when it did not take it. */
export interface Mailer {
  send(shop: ShopDomain, mail: Mail): Promise<void>;
}
