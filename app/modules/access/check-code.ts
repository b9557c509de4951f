import { typedCode } from "../../platform/typed-digits.ts";
import { equalSecrets } from "../kernel/secret.ts";
import { maskEmail } from "./mask-email.ts";
import type { Ports } from "./ports.ts";
import { stepUpRecipient } from "./step-up/step-up-viewer.ts";
import { MAX_WINDOW_MS, pausedUntil } from "./step-up.ts";
import type { Tenant } from "./tenant.ts";
import type { ViewerScope } from "./viewer.ts";

export type CheckCodeOutcome =
  /** The session opens results from now on, or needed no code. */
  | { kind: "accepted" }
  | { kind: "wrong" }
  /** The typed text has not the form of a code, so that it is no try. */
  | { kind: "malformed" }
  /** No code was mailed for this session, or it was used, replaced or too old. */
  | { kind: "no_code" }
  | { kind: "paused"; until: Date };

export interface StepUpState {
  /** The masked address that codes go to. */
  to: string;
  hasCode: boolean;
  pausedUntil: Date | null;
}

type CodePorts = Pick<Ports, "tenancy" | "clock">;

const CODE_DIGITS = 6;

/** Compares the digits with the code that was mailed for this session. Every wrong try is counted for the recipient. */
export async function checkCode(
  { tenancy, clock }: CodePorts,
  { shop, viewer, code }: ViewerScope & { code: string },
): Promise<CheckCodeOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const found = await stepUpRecipient(tenant, viewer);
    if (!found) return { kind: "accepted" };
    const { link, recipient } = found;
    await tenant.stepUps.lock(recipient);
    const now = clock.now();
    // Pressed twice: the first press was taken, and the code with it.
    if ((await tenant.links.findSession(link.sessionHash, now))?.steppedUpAt)
      return { kind: "accepted" };
    const since = new Date(now.getTime() - MAX_WINDOW_MS);
    const pause = async () =>
      pausedUntil(await tenant.stepUps.since(recipient, since), { limited: "tries", now });
    const until = await pause();
    if (until) return { kind: "paused", until };
    const live = await tenant.stepUps.live(link.sessionHash, now);
    if (!live) return { kind: "no_code" };
    const digits = typedCode(code, CODE_DIGITS);
    if (digits.length !== CODE_DIGITS || /\D/.test(digits)) return { kind: "malformed" };
    const given = tenant.stepUps.codeHash(live.id, digits);
    if (!equalSecrets(given, live.codeHash)) {
      await tenant.stepUps.countFailure(live.id);
      const { requestId } = link;
      await tenant.accessLog.add({ at: now, who: "link", what: "code_refused", requestId });
      const next = await pause();
      if (!next) return { kind: "wrong" };
      await recordLocked(tenant, link.requestId, { until: next, now });
      return { kind: "paused", until: next };
    }
    await tenant.stepUps.end(live.id, now);
    await tenant.links.stepUpSession(link.sessionHash, now);
    return { kind: "accepted" };
  });
}

/** Staff see that somebody used up the tries: the owner may call, and a stranger may hold the link. */
async function recordLocked(
  tenant: Tenant,
  requestId: string,
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  const request = await tenant.requests.find(requestId);
  if (!request) return;
  const { orderId } = request;
  const detail = { until: until.toISOString() };
  await tenant.timeline.add({
    ...{ kind: "codes_used_up", actor: "shopper", at: now },
    ...{ orderId, requestId, detail },
  });
}

/** Returns the state of the page that asks for a code; null when no code is needed. */
export async function stepUpState(
  { tenancy, clock }: CodePorts,
  { shop, viewer }: ViewerScope,
): Promise<StepUpState | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const found = await stepUpRecipient(tenant, viewer);
    if (!found) return null;
    const now = clock.now();
    const codes = await tenant.stepUps.since(
      found.recipient,
      new Date(now.getTime() - MAX_WINDOW_MS),
    );
    return {
      to: maskEmail(found.email),
      hasCode: (await tenant.stepUps.live(found.link.sessionHash, now)) !== null,
      pausedUntil: pausedUntil(codes, { limited: "tries", now }),
    };
  });
}
