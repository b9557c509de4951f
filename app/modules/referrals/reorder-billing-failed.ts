import { randomUUID } from "node:crypto";
import type { Batch } from "../kernel/batch.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { inPages } from "../kernel/in-pages.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { BatchHandler } from "../kernel/work-batch.ts";
import type { Ports } from "./ports.ts";
import { reorder } from "./reorder-request.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Begins to order everything again whose billing failed, once the billing method is fixed (interface §3,
 * BILLING_FAILED). A second click finds the batch that is under way. Null when there is nothing to order again.
 */
export async function askForBulkReorder(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
): Promise<Batch | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const requestIds = await inPages<string>((page) => tenant.referrals.billingFailed(page));
    if (requestIds.length === 0) return null;
    const asked: Batch = {
      ...{ id: randomUUID(), kind: "reorder", action: "billing_failed", actor, state: "running" },
      ...{ plan: {}, cursor: null, createdAt: clock.now(), finishedAt: null },
    };
    const items = requestIds.map((subject) => ({ subject, detail: {} }));
    const isNew = await tenant.batches.add(asked, items);
    const batch = isNew ? asked : await tenant.batches.latest("reorder");
    if (!batch) throw new Error("A batch ended while another was refused");
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId: batch.id });
    return batch;
  });
}

/**
 * Orders one request again. What was noted and has been cancelled, replaced or paid since is left as it is; what is
 * billed in vain again waits for the next asking.
 */
export const reorders: BatchHandler<Tenant, Pick<Ports, "clock" | "waits">> = {
  atOnce: 20,
  pauseMs: 1000,
  async work({ clock, waits }, { tenant, batch, item }) {
    const requestId = item.subject;
    if (!(await tenant.referrals.isBillingFailed(requestId))) return { outcome: "nothing_to_do" };
    const by = { actor: batch.actor, now: clock.now(), dayMs: waits.reminderDayMs };
    const outcome = await reorder(tenant, requestId, by);
    return { outcome: outcome.kind === "reordered" ? "done" : "nothing_to_do" };
  },
};
