import { createFaults, faultSettings } from "../../sandbox/store/faults.ts";
import { readMail } from "../../sandbox/store/mail/read-mail.ts";
import { startSmtpSink } from "../../sandbox/store/mail/smtp-sink.ts";

/** Starts the sandbox's own SMTP server, as far as a test of mails needs it: what it took, and whom it refuses. */
export async function startMailServer() {
  const faults = createFaults();
  const taken: string[] = [];
  const raw: { to: string[]; source: string }[] = [];
  let answers: Promise<void> | null = null;
  const { url, stop } = await startSmtpSink(
    async ({ to, source }) => {
      raw.push({ to, source: source.toString("utf8") });
      const { subject } = await readMail(source);
      taken.push(`${to} ${subject.replace(/ \(#.*\)$/, "")}`);
      await answers;
    },
    { refusalOf: faults.mailRefusal },
  );
  const refuseEach = (refuse: { to: string; status: number }[]) =>
    faults.set(faultSettings.parse({ mail: { refuse } }));
  return {
    url,
    stop,
    /** Each mail's recipients and subject, without the order's name. */
    taken,
    /** The same as they came over the wire. */
    raw,
    refuse: (to: string, status = 550) => refuseEach([{ to, status }]),
    refuseEach,
    /** It takes mails and never says so, until `takeAll`. */
    fallSilent() {
      answers = new Promise(() => {});
    },
    takeAll() {
      answers = null;
      faults.set(faultSettings.parse({}));
    },
  };
}
