import { randomUUID } from "node:crypto";
import { AppError } from "../../platform/errors.ts";
import { rest } from "../../platform/rest.ts";
import { tolerate } from "../../platform/tolerate.ts";
import { MailUnclearError } from "../kernel/notification.ts";
import { expiryOf, newSecret } from "../kernel/secret.ts";
import { helpOf } from "../shops/customer-help.ts";
import { maskEmail } from "./mask-email.ts";
import type { Ports } from "./ports.ts";
import { composeCodeMail } from "./step-up/compose-code-mail.ts";
import { stepUpRecipient } from "./step-up/step-up-viewer.ts";
import { MAX_WINDOW_MS, pausedUntil } from "./step-up.ts";
import type { ViewerScope } from "./viewer.ts";

export type SendCodeOutcome =
  | { kind: "sent"; to: string }
  /** The viewer needs no code. */
  | { kind: "not_needed" }
  /** Too many codes were mailed, or too many were wrong. */
  | { kind: "paused"; until: Date }
  /** The outgoing server did not take the mail. */
  | { kind: "not_mailed" }
  /** The outgoing server has not said whether it takes the mail: the code may arrive, and counts until it is over. */
  | { kind: "unclear"; to: string };

/** Somebody waits at the page meanwhile, and the mailer waits for minutes. */
const PATIENCE_MS = 12_000;
/** So long a second press counts as the first, whose code is under way: a further code would end it before it is read. */
const SAME_PRESS_MS = 15_000;

type CodePorts = Pick<Ports, "tenancy" | "clock" | "mailer" | "logger">;

/**
 * Mails six digits to the address that we know of a mailed link's recipient. The code is for this session alone. No job
 * carries it: the database and the queue know its hash only.
 */
export async function sendCode(
  { tenancy, clock, mailer, logger }: CodePorts,
  { shop, viewer }: ViewerScope,
  patienceMs = PATIENCE_MS,
): Promise<SendCodeOutcome> {
  const id = randomUUID();
  const code = newSecret("step_up_code");
  const made = await tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    if (!settings) return { kind: "not_mailed" } as const;
    const found = await stepUpRecipient(tenant, viewer);
    if (!found) return { kind: "not_needed" } as const;
    const { link, email, recipient } = found;
    await tenant.stepUps.lock(recipient);
    const at = clock.now();
    const codes = await tenant.stepUps.since(recipient, new Date(at.getTime() - MAX_WINDOW_MS));
    const tried = pausedUntil(codes, { limited: "tries", now: at });
    if (tried) return { kind: "paused", until: tried } as const;
    const latest = await tenant.stepUps.live(link.sessionHash, at);
    if (latest && at.getTime() - latest.at.getTime() < SAME_PRESS_MS)
      return { kind: "sent", to: maskEmail(email) } as const;
    const until = pausedUntil(codes, { limited: "codes", now: at });
    if (until) return { kind: "paused", until } as const;
    await tenant.stepUps.add({
      id,
      requestId: link.requestId,
      recipient,
      sessionHash: link.sessionHash,
      codeHash: tenant.stepUps.codeHash(id, code),
      expiresAt: expiryOf("step_up_code", at),
      at,
    });
    return { kind: "made", to: email, help: helpOf(settings) } as const;
  });
  if (made.kind !== "made") return made;
  const to = maskEmail(made.to);
  const mail = async (): Promise<SendCodeOutcome> => {
    try {
      await mailer.send(shop, composeCodeMail({ ...made, code }));
    } catch (error) {
      const isUnclear = error instanceof MailUnclearError;
      if (!isUnclear)
        await tenancy.inShop(shop, (tenant) => tenant.stepUps.takeBack(id, clock.now()));
      if (!(error instanceof AppError)) throw error;
      logger.warn({ err: error, shop }, "a code could not be mailed");
      return isUnclear ? { kind: "unclear", to } : { kind: "not_mailed" };
    }
    return { kind: "sent", to };
  };
  const answered = new AbortController();
  const mailing = mail().finally(() => answered.abort());
  if (!(await rest(patienceMs, answered.signal))) return mailing;
  // The code stays for as long as the server may still take it, and goes when it does not.
  mailing.catch(tolerate(logger, "code.mail"));
  return { kind: "unclear", to };
}
