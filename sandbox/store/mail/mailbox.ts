import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { MailDocument } from "../state/mail.ts";
import { nextPosition } from "../state/next-id.ts";
import type { Tables } from "../state/tables.ts";
import { readMail } from "./read-mail.ts";
import type { RawMail } from "./smtp-sink.ts";

/** Keeps a mail that came over SMTP: one entry per recipient, as each sees it in their own inbox. */
export async function keepRawMail(data: Tables, clock: Clock, raw: RawMail): Promise<void> {
  const mail = await readMail(raw.source);
  for (const to of raw.to) keepMail(data, clock, { from: raw.from, to, ...mail });
}

/** Keeps a mail that the store itself sends: login codes, order confirmations. */
export function keepMail(
  data: Tables,
  clock: Clock,
  mail: Pick<MailDocument, "from" | "to" | "subject" | "text" | "html" | "headers">,
): void {
  data.mails.put({
    id: randomUUID(),
    at: clock.nowIso(),
    sequence: nextPosition(data, "mail"),
    ...mail,
  });
}

/** Newest first. */
export const mailsNewestFirst = (data: Tables): MailDocument[] =>
  data.mails.all().sort((left, right) => right.sequence - left.sequence);
