import { type Mailer, RecipientRefusedError } from "../../modules/kernel/notification.ts";
import { AppError } from "../../platform/errors.ts";
import { lazyAsync } from "../../platform/lazy-async.ts";
import { inStep } from "../../platform/traces.ts";

/** The outgoing server did not take a mail, for a reason of its own. It is tried again: nobody's news is lost to a password. */
export class MailError extends AppError {
  readonly code = "mail_not_taken";
  readonly retryable = true;

  constructor(cause?: unknown) {
    super("mail_not_taken", { cause });
    this.name = "MailError";
  }
}

/**
 * One address and nothing beside it. The library would read a list, a name or a group out of a text, and write to everybody in
 * it: what a store took as a customer's address may be any of these.
 */
const ONE_ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/;

/** Mail through SMTP. Without an address nothing can be sent and every mail waits, visibly, as a failed job. */
export function createSmtpMailer(options: { url: string | undefined; from: string }): Mailer {
  const { url, from } = options;
  // Only who mails needs it in memory.
  const transport = lazyAsync(async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport(url, { from });
  });
  // The shop's name stands before our own address: the domain must stay one that may send for us.
  const sender = /<([^>]+)>/.exec(from)?.[1] ?? from;
  return {
    async send(_shop, { to, alsoTo = [], subject, text, html, fromName, unsubscribeUrl }) {
      if (!url) throw new MailError();
      // One of the shop's people whose address is none keeps the others' mail from nobody.
      const recipients = [to, ...alsoTo].filter((one) => ONE_ADDRESS.test(one));
      if (recipients.length === 0) throw new RecipientRefusedError(true);
      try {
        const mail = {
          to: recipients,
          subject,
          text,
          html,
          from: fromName ? { name: fromName, address: sender } : from,
          headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(unsubscribeUrl) },
        };
        const smtp = await transport();
        await inStep("send mail", { kind: "client" }, () => smtp.sendMail(mail));
      } catch (error) {
        throw refusalOf(error) ?? new MailError(error);
      }
    },
  };
}

/**
 * Reads whether the server refused the recipient: at RCPT, the mail itself at its end, or an address that is none. A wrong
 * password or a sender that it does not take is ours to mend, and says nothing about whoever was to read the mail.
 */
function refusalOf(error: unknown): RecipientRefusedError | null {
  const { code, command, responseCode } = error as SmtpFailure;
  if (code === "EENVELOPE" && command === "API") return new RecipientRefusedError(true, error);
  const isOfRecipient =
    (code === "EENVELOPE" && command === "RCPT TO") || (code === "EMESSAGE" && command === "DATA");
  if (!isOfRecipient || !responseCode) return null;
  return new RecipientRefusedError(responseCode >= 500, error);
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** One click in the mail program, which then posts by itself (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  return url
    ? { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
    : {};
}
