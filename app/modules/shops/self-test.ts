import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Environment } from "./connection.ts";
import type { Ports } from "./ports.ts";

/** Events whose id begins like this are Pathway's own: they prove the way here, and hint at nothing. */
export const SELF_TEST_PREFIX = "pathway-self-test-";

export type SelfTestOutcome =
  | { kind: "no_connection" }
  | { kind: "no_secret" }
  | { kind: "unreachable"; code: string }
  /** Reached, but the signature was refused. */
  | { kind: "not_verified" }
  /** Something else answers at this address. */
  | { kind: "not_ours"; status: number }
  | { kind: "busy" }
  /** Reached and verified, but nothing has taken it up. */
  | { kind: "not_handled" }
  | { kind: "handled" };

const TIMEOUT_MS = 8_000;
const LOOK_AGAIN_MS = 100;

/** Sends Pathway an event of its own, as the service would, and watches how far it comes. */
export async function selfTestEvents(
  { tenancy, eventSender }: Pick<Ports, "tenancy" | "eventSender">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<SelfTestOutcome> {
  const connection = await tenancy.inShop(shop, (t) => t.connections.find(environment));
  if (!connection) return { kind: "no_connection" };
  if (connection.signingScheme !== "none" && !connection.hasSigningSecret)
    return { kind: "no_secret" };
  const eventId = `${SELF_TEST_PREFIX}${randomUUID()}`;
  const sent = await eventSender.send(shop, environment, eventId);
  if (!sent) return { kind: "no_connection" };
  if (sent.kind === "unreachable") return sent;
  if (sent.status === 401) return { kind: "not_verified" };
  if (sent.status === 503) return { kind: "busy" };
  if (sent.status !== 200) return { kind: "not_ours", status: sent.status };
  const message = { source: "service", topic: environment, eventId } as const;
  for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += LOOK_AGAIN_MS) {
    const state = await tenancy.inShop(shop, (tenant) => tenant.inbox.stateOf(message));
    if (state === null) return { kind: "not_ours", status: 200 };
    if (state === "done") return { kind: "handled" };
    await delay(LOOK_AGAIN_MS);
  }
  return { kind: "not_handled" };
}
