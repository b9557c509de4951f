import type { OrderId } from "../../kernel/ids.ts";
import { apply } from "../../referrals/apply.ts";
import type { Receipt } from "../privacy.ts";
import type { Tenant } from "../tenant.ts";
import { repackExports } from "./repack-exports.ts";

/**
 * Destroys what is held of some requests and orders, copies in data exports included, with a line in the timeline of each
 * request. Returns what was destroyed, and how many requests are still being sent: those have to be redacted again afterwards.
 */
export async function redact(
  tenant: Tenant,
  what: { requestIds: string[]; orderIds: OrderId[] },
  now: Date,
): Promise<{ receipt: Receipt; sending: number }> {
  await repackExports(tenant, what);
  // Orders first, in the order of locks that a reading of one takes.
  const orders = await tenant.redaction.orders(what.orderIds, now);
  const { receipt, redacted, sending } = await tenant.redaction.requests(what.requestIds, now);
  const by = { actor: "pathway", at: now } as const;
  for (const requestId of redacted) {
    await apply(tenant, requestId, { kind: "redacted" }, by);
    await tenant.timeline.add({ kind: "redacted", ...by, requestId });
  }
  return { receipt: { ...receipt, orders }, sending };
}
