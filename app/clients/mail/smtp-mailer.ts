import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { domainToASCII } from "node:url";
import {
  type Mailer,
  MailUnclearError,
  RecipientRefusedError,
} from "../../modules/kernel/notification.ts";
import { type MAIL_OUTCOMES, mails } from "../../platform/counters.ts";
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
 * One address and nothing beside it. A store can take a list, a name or a group for a customer's address: the library would
 * read them out of the text, and write to everybody in it. It would also leave a control character out, which makes another
 * address.
 */
const ONE_ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u;

/** An address as the library gives it to the server, which is how the library answers. */
function asSent(address: string | { address: string }): string {
  const [, user = "", domain = ""] =
    /^"?(.*?)"?@([^@]*)$/.exec(typeof address === "string" ? address : address.address) ?? [];
  return `${user}@${domainToASCII(domain)}`;
}

/** The same for the same mail. It tells nothing: ids stand in it as a hash alone. */
const messageIdOf = (mail: string, sender: string): string =>
  `<${createHash("sha256").update(mail).digest("hex").slice(0, 40)}@${sender.split("@").pop()}>`;

/** How long a server may be silent, in milliseconds. */
interface Patience {
  connectionTimeout: number;
  greetingTimeout: number;
  socketTimeout: number;
}

/**
 * Shorter all together than a job may take (`QUEUE` of the job engine), and as long as that allows: a job that runs longer is
 * begun again beside itself, and its mail goes out twice. The library would wait for ten minutes.
 */
const PATIENCE: Patience = {
  connectionTimeout: 15_000,
  greetingTimeout: 30_000,
  socketTimeout: 200_000,
};

/**
 * How long a mail may take in all. A server that answers a byte at a time is never silent for long. Shorter than a job may take,
 * with what is written down after it.
 */
const TOTAL_MS = 240_000;

/** Mail through SMTP. Without an address nothing can be sent and every mail waits, visibly, as a failed job. */
export function createSmtpMailer(options: {
  url: string | undefined;
  from: string;
  patience?: Patience;
  totalMs?: number;
}): Mailer {
  const { url, from, patience = PATIENCE, totalMs = TOTAL_MS } = options;
  // Only who mails needs it in memory.
  const transport = lazyAsync(async () => {
    const { createTransport } = await import("nodemailer");
    const smtp = createTransport(url && withPatience(url, patience), { from });
    smtp.use("stream", (mail, done) => {
      const { onHandedOver, deadline } = mail.data as {
        onHandedOver?: () => void;
        deadline?: AbortSignal;
      };
      // Its end is read once the connection has taken all of it, which is after the server has asked for it.
      const open = mail.message.createReadStream.bind(mail.message);
      mail.message.createReadStream = (settings) => {
        const stream = open(settings);
        if (onHandedOver) stream.on("end", onHandedOver);
        if (deadline) failAt(deadline, stream);
        return stream;
      };
      done();
    });
    return smtp;
  });
  // The shop's name stands before our own address: the domain must stay one that may send for us.
  const sender = /<([^>]+)>/.exec(from)?.[1] ?? from;
  const handOver: Mailer["send"] = async (
    shop,
    { to, alsoTo = [], subject, text, html, fromName, unsubscribeUrl, key },
  ) => {
    if (!url) throw new MailError();
    // An address of the shop's people that is none keeps the others' mail from nobody.
    const all = [to, ...alsoTo];
    const recipients = all.filter((one) => ONE_ADDRESS.test(one));
    if (recipients.length === 0) throw new RecipientRefusedError(true);
    let isHandedOver = false;
    const deadline = new AbortController();
    const ticking = setTimeout(() => deadline.abort(), totalMs);
    try {
      const mail = {
        to: recipients,
        subject,
        text,
        html,
        from: fromName ? { name: fromName, address: sender } : from,
        headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(unsubscribeUrl) },
        ...(key && { messageId: messageIdOf(`${shop} ${key} ${to}`, sender) }),
        onHandedOver: () => {
          isHandedOver = true;
        },
        deadline: deadline.signal,
      };
      const smtp = await transport();
      const { rejected } = await inStep("send mail", { kind: "client" }, () =>
        beforeDeadline(smtp.sendMail(mail), deadline.signal),
      );
      const refused = new Set(rejected.map(asSent));
      return all.filter((one) => !recipients.includes(one) || refused.has(asSent(one)));
    } catch (error) {
      const { responseCode } = error as SmtpFailure;
      const isUnclear = isHandedOver && !responseCode;
      throw refusalOf(error) ?? (isUnclear ? new MailUnclearError(error) : new MailError(error));
    } finally {
      clearTimeout(ticking);
    }
  };
  return {
    async send(...mail) {
      try {
        const refused = await handOver(...mail);
        mails.add({ outcome: "taken" });
        return refused;
      } catch (error) {
        mails.add({ outcome: outcomeOf(error) });
        throw error;
      }
    },
  };
}

function outcomeOf(error: unknown): (typeof MAIL_OUTCOMES)[number] {
  if (error instanceof RecipientRefusedError) return error.isFinal ? "refused" : "put_off";
  return error instanceof MailUnclearError ? "unclear" : "not_taken";
}

const tooLong = () => new Error("The mail server took too long");

/** Ends a mail whose time is over: an error of its text closes the connection, so that the server never has it whole afterwards. */
function failAt(deadline: AbortSignal, text: Readable): void {
  const fail = () => text.emit("error", tooLong());
  if (deadline.aborted) setImmediate(fail);
  else deadline.addEventListener("abort", fail, { once: true });
}

/** The library's own answer, or an error once the time is over: before the text is asked for, the library heeds no end. */
const beforeDeadline = <T>(sending: Promise<T>, deadline: AbortSignal): Promise<T> =>
  Promise.race([
    sending,
    new Promise<never>((_, reject) => {
      deadline.addEventListener("abort", () => reject(tooLong()), { once: true });
    }),
  ]);

/** The address with the limits that it does not name itself: the library reads them nowhere else. */
function withPatience(url: string, patience: Patience): string {
  const given = new URL(url).searchParams;
  const missing = Object.entries(patience).filter(([name]) => !given.has(name));
  const query = missing.map(([name, ms]) => `${name}=${ms}`).join("&");
  return query ? `${url}${url.includes("?") ? "&" : "?"}${query}` : url;
}

/**
 * Reads whether the server refused the recipient: at RCPT, the mail itself at its end, or an address that is none. A wrong
 * password or a sender that it does not take is ours to mend, and says nothing about whoever was to read the mail.
 */
function refusalOf(error: unknown): RecipientRefusedError | null {
  const { code, command, responseCode, rejectedErrors } = error as SmtpFailure;
  if (code === "EENVELOPE" && command === "API") return new RecipientRefusedError(true, error);
  const isOfRecipient =
    (code === "EENVELOPE" && command === "RCPT TO") || (code === "EMESSAGE" && command === "DATA");
  if (!isOfRecipient || !responseCode) return null;
  // All were refused. As long as one of them may be taken later, nobody has the mail, and it is tried again.
  const refusals = rejectedErrors ?? [error as SmtpFailure];
  return new RecipientRefusedError(refusals.every(isFinal), error);
}

const isFinal = (refusal: SmtpFailure): boolean =>
  (refusal.responseCode ?? 0) >= 500 && isOfAddress(refusal);

/**
 * Whether a refusal for good (5xx) speaks of the address. Servers also refuse a sender that they do not know, a machine that
 * stands on a list, a full mailbox and a mail that looks like spam: all mails may meet that, and may pass later. The enhanced
 * code tells (RFC 3463). Without one, an address is refused at RCPT, and at the mail's end the mail.
 */
function isOfAddress({ command, response = "" }: SmtpFailure): boolean {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  return enhanced ? OF_ADDRESS.test(enhanced) : command === "RCPT TO";
}

/**
 * The codes that speak of an address: 5.1 (but for the sender's), a mailbox that is closed, Exchange's word for nobody
 * (5.4.1), and a script that the server does not speak (5.6.7, RFC 6531).
 */
const OF_ADDRESS = /^5\.(1\.(?!7$|8$)\d+|2\.[01]|4\.1|6\.7)$/;

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
  /** The server's own words. */
  response?: string;
  /** The refusal of each recipient, when all were refused. */
  rejectedErrors?: SmtpFailure[];
}

/** One click in the mail program, which then posts by itself (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  return url
    ? { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
    : {};
}
