import type { OrderId } from "../../kernel/ids.ts";
import type { Receipt } from "../privacy.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Destroys what is held of some requests and orders, with a line in the timeline of each request. Returns what
 * was destroyed, and how many requests are still being sent: those have to be redacted again afterwards.
 */
export async function redact(
  tenant: Tenant,
  what: { requestIds: string[]; orderIds: OrderId[] },
  now: Date,
): Promise<{ receipt: Receipt; sending: number }> {
  // Orders first, in the order of locks that a reading of one takes.
  const orders = await tenant.redaction.orders(what.orderIds, now);
  const { receipt, redacted, sending, unclear } = await tenant.redaction.requests(
    what.requestIds,
    now,
  );
  for (const requestId of redacted)
    await tenant.timeline.add({ kind: "redacted", actor: "pathway", at: now, requestId });
  for (const requestId of unclear)
    await tenant.jobs.enqueue({ name: "resolve-ambiguous", shop: tenant.shop, requestId });
  return { receipt: { ...receipt, orders }, sending };
}
