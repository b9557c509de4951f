import { randomUUID } from "node:crypto";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { BulkAction, BulkRunOrder } from "./bulk-run.ts";
import type { Ports } from "./ports.ts";

/** Which orders: named one by one, by one or some of the reasons for which they need a person, or all of a selection. */
export type BulkTarget =
  | { orderIds: OrderId[] }
  | { items: { orderId: OrderId; reason: string }[] }
  | { selection: string };

/** Notes what is asked for and has it worked on in the background; answers the run's id. */
export async function startBulkRun(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: { shop: ShopDomain; action: BulkAction; actor: Actor; target: BulkTarget },
): Promise<string> {
  const { shop, action, actor, target } = asked;
  const id = randomUUID();
  await tenancy.inShop(shop, async (tenant) => {
    const named = "selection" in target ? null : namedOrders(target);
    await tenant.bulkRuns.add({
      id,
      action,
      actor,
      selection: "selection" in target ? target.selection : null,
      cursor: null,
      state: named ? "running" : "collecting",
      total: 0,
      createdAt: clock.now(),
      finishedAt: null,
    });
    if (named) {
      const total = await tenant.bulkRuns.note(id, named);
      await tenant.bulkRuns.change(id, { total });
    }
    await tenant.jobs.enqueue({ name: "run-bulk", shop, runId: id });
  });
  return id;
}

function namedOrders(target: Exclude<BulkTarget, { selection: string }>): BulkRunOrder[] {
  if ("orderIds" in target) return target.orderIds.map((orderId) => ({ orderId, reasons: [] }));
  const byOrder = Map.groupBy(target.items, (item) => item.orderId);
  return [...byOrder].map(([orderId, items]) => ({
    orderId,
    reasons: items.map((item) => item.reason),
  }));
}
