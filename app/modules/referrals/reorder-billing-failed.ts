import { randomUUID } from "node:crypto";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { BulkReorder } from "./bulk-reorder.ts";
import type { Ports } from "./ports.ts";
import { reorder } from "./reorder-request.ts";

/** As many are ordered again at a time, so that the service gets what it can take. */
const BATCH = 20;
const PAUSE_MS = 1000;

/**
 * Begins to order everything again whose billing failed, once the billing method is fixed (interface §3,
 * BILLING_FAILED). A job does it in batches. Null when there is nothing to order again.
 */
export async function askForBulkReorder(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
): Promise<BulkReorder | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const total = await tenant.referrals.countBillingFailed();
    if (total === 0) return null;
    const asking = { id: randomUUID(), askedBy: actor, total };
    const bulk = await tenant.bulkReorders.begin(asking, clock.now());
    await tenant.jobs.enqueue({ name: "reorder-billing-failed", shop, bulkId: bulk.id });
    return bulk;
  });
}

export type BulkReorderOutcome =
  | { kind: "more" }
  | { kind: "finished" }
  | { kind: "nothing_to_do" };

/**
 * One batch. Each request is ordered again in a transaction of its own with its count, so that a process that
 * dies loses and repeats nothing. Only what existed when it was asked for: what is billed in vain again waits
 * for the next asking.
 */
export async function reorderBillingFailed(
  { tenancy, clock, waits }: Pick<Ports, "tenancy" | "clock" | "waits">,
  { shop, bulkId }: { shop: ShopDomain; bulkId: string },
): Promise<BulkReorderOutcome> {
  const due = await tenancy.inShop(shop, async (tenant) => {
    const bulk = await tenant.bulkReorders.find(bulkId);
    const settings = await tenant.shops.find();
    if (!bulk || bulk.finishedAt || !settings?.installed) return null;
    const ids = await tenant.referrals.billingFailed(bulk.askedAt, BATCH + bulk.skipped);
    return { ids: ids.slice(bulk.skipped), actor: bulk.askedBy };
  });
  if (!due) return { kind: "nothing_to_do" };
  for (const requestId of due.ids)
    await tenancy.inShop(shop, async (tenant) => {
      const by = { actor: due.actor, now: clock.now(), dayMs: waits.reminderDayMs };
      const outcome = await reorder(tenant, requestId, by);
      await tenant.bulkReorders.count(bulkId, outcome.kind === "reordered" ? "done" : "skipped");
    });
  return tenancy.inShop(shop, async (tenant) => {
    if (due.ids.length < BATCH) {
      await tenant.bulkReorders.finish(bulkId, clock.now());
      return { kind: "finished" };
    }
    const startAfter = new Date(clock.now().getTime() + PAUSE_MS);
    await tenant.jobs.enqueue({ name: "reorder-billing-failed", shop, bulkId }, { startAfter });
    return { kind: "more" };
  });
}
