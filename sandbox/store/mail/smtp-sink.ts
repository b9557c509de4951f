import { once } from "node:events";
import { SMTPServer } from "smtp-server";

export interface SmtpSink {
  /** Where it takes mail: `smtp://127.0.0.1:1025`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A mail as it came over the wire. */
export interface RawMail {
  from: string;
  to: string[];
  /** The email as bytes: its parts may each have a charset of their own. */
  source: Buffer;
}

const maxBytes = 5_000_000;
/** A client that keeps its connection must not keep the store from stopping. */
const closeTimeoutMs = 300;

export interface SmtpSinkOptions {
  host?: string;
  port?: number | undefined;
  /** The status that a recipient is refused with, at RCPT; null for one that is taken. */
  refusalOf?: (to: string) => number | null;
}

/**
 * Takes every mail that the app sends, but for the recipients that are to be refused, and delivers none of it. Answers
 * after the mail has been handed on.
 */
export async function startSmtpSink(
  receive: (mail: RawMail) => Promise<void> | void,
  { host = "127.0.0.1", port = 0, refusalOf = () => null }: SmtpSinkOptions = {},
): Promise<SmtpSink> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: closeTimeoutMs,
    size: maxBytes,
    onAuth: (_auth, _session, done) => done(null, { user: "anybody" }),
    onRcptTo({ address }, _session, done) {
      const responseCode = refusalOf(address);
      if (responseCode === null) return done();
      const reason = responseCode >= 500 ? "No such mailbox" : "Try again later";
      done(Object.assign(new Error(reason), { responseCode }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        try {
          await receive({
            from: session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address,
            to: session.envelope.rcptTo.map((recipient) => recipient.address),
            source: Buffer.concat(chunks),
          });
          done();
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      });
    },
  });
  server.on("error", () => {}); // a client that hangs up is no business of ours
  const listening = server.listen(port, host);
  await once(listening, "listening");
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("the mail sink has no port");
  return {
    url: `smtp://${host}:${address.port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
