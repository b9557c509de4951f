import type { Mailer } from "../../modules/kernel/notification.ts";
import { AppError } from "../../platform/errors.ts";
import { lazyAsync } from "../../platform/lazy-async.ts";

/** The outgoing server did not take a mail. */
export class MailError extends AppError {
  readonly code = "mail_not_taken";
  readonly retryable: boolean;

  constructor(retryable: boolean, cause?: unknown) {
    super("mail_not_taken", { cause });
    this.name = "MailError";
    this.retryable = retryable;
  }
}

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
    async send(_shop, { to, subject, text, html, fromName, unsubscribeUrl }) {
      if (!url) throw new MailError(true);
      try {
        await (await transport()).sendMail({
          to,
          subject,
          text,
          html,
          from: fromName ? { name: fromName, address: sender } : from,
          headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(unsubscribeUrl) },
        });
      } catch (error) {
        // 5xx: this address or this mail will not be taken later either.
        const code = (error as { responseCode?: number }).responseCode ?? 0;
        throw new MailError(code < 500, error);
      }
    },
  };
}

/** One click in the mail program, which then posts by itself (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  return url
    ? { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
    : {};
}
