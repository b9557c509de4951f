import { randomUUID } from "node:crypto";
import type { Batch } from "../kernel/batch.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { inPages } from "../kernel/in-pages.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { BatchHandler } from "../kernel/work-batch.ts";
import type { Ports } from "./ports.ts";
import { readFormer, reorder } from "./reorder-request.ts";
import type { Tenant } from "./tenant.ts";

export type BulkReorderOutcome =
  | { kind: "asked"; batch: Batch }
  | { kind: "nothing_failed" }
  /** More failed since the page named their price: nothing was ordered. */
  | { kind: "more_meanwhile"; failed: number };

/**
 * Begins to order everything again whose billing failed, once the billing method is fixed (interface §3,
 * BILLING_FAILED). A second click finds the batch that is under way. `seen`: how many the page named, with their price;
 * null: however many there are.
 */
export async function askForBulkReorder(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor, seen = null }: { shop: ShopDomain; actor: Actor; seen?: number | null },
): Promise<BulkReorderOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const requestIds = await inPages<string>((page) => tenant.referrals.billingFailed(page));
    const failed = requestIds.length;
    if (failed === 0) return { kind: "nothing_failed" };
    if (seen !== null && failed > seen) return { kind: "more_meanwhile", failed };
    const asked: Batch = {
      ...{ id: randomUUID(), kind: "reorder", action: "billing_failed", actor, state: "running" },
      ...{ plan: {}, cursor: null, createdAt: clock.now(), finishedAt: null },
    };
    const items = requestIds.map((subject) => ({ subject, detail: {} }));
    const isNew = await tenant.batches.add(asked, items);
    const batch = isNew ? asked : await tenant.batches.latest("reorder");
    if (!batch) throw new Error("A batch ended while another was refused");
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId: batch.id });
    return { kind: "asked", batch };
  });
}

/** How long tests wait for a service that does not answer. Then they are opened: what they had before is read before anything is sent. */
const WAITS_MS = 15 * 60_000;

/**
 * Orders one request again. A request that has been cancelled, replaced, paid or marked as handled since it was noted is left as it is; what is
 * billed in vain again waits for the next asking.
 */
export const reorders: BatchHandler<Tenant, Parameters<typeof readFormer>[0]> = {
  atOnce: 20,
  pauseMs: 1000,
  // A referral that lives again stays its patient's, with its form.
  async prepare(ports, { shop, batch, item }) {
    const isRead = await readFormer(ports, shop, item.subject);
    const askedMs = ports.clock.now().getTime() - batch.createdAt.getTime();
    return isRead || askedMs > WAITS_MS ? "now" : "later";
  },
  async work({ clock, waits }, { tenant, batch, item }) {
    const requestId = item.subject;
    const found = await tenant.requests.find(requestId);
    // Somebody may be marking it as handled at this moment.
    if (found) await tenant.orders.lock(found.orderId);
    if (!(await tenant.referrals.isBillingFailed(requestId))) return { outcome: "nothing_to_do" };
    const by = { actor: batch.actor, now: clock.now(), dayMs: waits.reminderDayMs };
    const outcome = await reorder(tenant, requestId, by);
    return { outcome: outcome.kind === "reordered" ? "done" : "nothing_to_do" };
  },
};
