import { randomUUID } from "node:crypto";
import type { NewBatchItem } from "../kernel/batch.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { BulkAction } from "./bulk-action.ts";
import type { Ports } from "./ports.ts";

/**
 * The orders of an action: named one by one, by some of the reasons for which they need a person, or all of a
 * selection.
 */
export type BulkTarget =
  | { orderIds: OrderId[] }
  | { items: { orderId: OrderId; reason: string }[] }
  | { selection: string };

/** Notes what is asked for and has it worked on in the background; answers the batch's id. */
export async function startBulkAction(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: { shop: ShopDomain; action: BulkAction; actor: Actor; target: BulkTarget },
): Promise<string> {
  const { shop, action, actor, target } = asked;
  const id = randomUUID();
  const isSelection = "selection" in target;
  await tenancy.inShop(shop, async (tenant) => {
    const batch = {
      ...({ id, kind: "order_action", action, actor, cursor: null } as const),
      state: isSelection ? ("collecting" as const) : ("running" as const),
      plan: isSelection ? { selection: target.selection } : {},
      createdAt: clock.now(),
      finishedAt: null,
    };
    await tenant.batches.add(batch, isSelection ? [] : namedOrders(target));
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId: id });
  });
  return id;
}

/** `reasons`: those that were chosen of the reasons for which an order needs a person; none: whichever they are. */
export const orderItem = (subject: OrderId, reasons: string[] = []): NewBatchItem => ({
  subject,
  detail: { reasons },
});

function namedOrders(target: Exclude<BulkTarget, { selection: string }>): NewBatchItem[] {
  if ("orderIds" in target) return target.orderIds.map((orderId) => orderItem(orderId));
  const byOrder = Map.groupBy(target.items, (item) => item.orderId);
  return [...byOrder].map(([orderId, items]) =>
    orderItem(
      orderId,
      items.map((item) => item.reason),
    ),
  );
}
