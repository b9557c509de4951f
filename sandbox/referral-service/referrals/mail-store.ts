import { integer, text } from "../storage/column.ts";
import type { Database } from "../storage/database.ts";

/** A referral email that the service sent to a patient, with one attachment per referral. */
export interface Mail {
  id: number;
  recipient: string;
  referralUuids: string[];
  sentAtMs: number;
}

export interface MailStore {
  add(mail: Omit<Mail, "id"> & { organisationId: number }): void;
  newest(organisationId: number, limit: number): Mail[];
}

/** The outbox of referral emails; nothing leaves the machine. */
export function createMailStore(database: Database): MailStore {
  return {
    add(mail) {
      database.run(
        "INSERT INTO mails (organisation_id, recipient, referral_uuids, sent_ms) VALUES (?, ?, ?, ?)",
        mail.organisationId,
        mail.recipient,
        JSON.stringify(mail.referralUuids),
        mail.sentAtMs,
      );
    },
    newest: (organisationId, limit) =>
      database
        .all(
          "SELECT * FROM mails WHERE organisation_id = ? ORDER BY seq DESC LIMIT ?",
          organisationId,
          limit,
        )
        .map((row) => {
          const referralUuids: string[] = JSON.parse(text(row, "referral_uuids"));
          return {
            id: integer(row, "seq"),
            recipient: text(row, "recipient"),
            referralUuids,
            sentAtMs: integer(row, "sent_ms"),
          };
        }),
  };
}
