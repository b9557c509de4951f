import { z } from "zod";
import { type Batch, type BatchCounts, type BatchOutcome, hasEnded } from "../kernel/batch.ts";
import { gid, type OrderId, type ShopDomain } from "../kernel/ids.ts";
import type { AttentionReason } from "./attention-item.ts";
import { type BulkAction, CHANGED_MEANWHILE, RUN_ACTIONS } from "./bulk-action.ts";
import type { Ports } from "./ports.ts";

const SHOWN = 50;
const actionSchema = z.enum(RUN_ACTIONS);

export interface BulkProgress extends Pick<Batch, "actor" | "state"> {
  action: BulkAction;
  counts: BatchCounts;
  /** Some of those that failed, were done in part or had nothing to do, with their names and why they need somebody now. */
  notDone: {
    orderId: OrderId;
    orderName: string;
    outcome: BatchOutcome;
    open: AttentionReason[];
    /** Whether it was left because the page showed something else. */
    isChanged: boolean;
  }[];
}

/** How far a bulk action has come; null when the shop has no such one. */
export async function readBulkAction(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, batchId }: { shop: ShopDomain; batchId: string },
): Promise<BulkProgress | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const batch = await tenant.batches.find(batchId);
    if (batch?.kind !== "order_action") return null;
    const left = (outcome: BatchOutcome, limit: number) =>
      tenant.batches.items(batchId, { after: 0, limit, outcome });
    const failed = await left("failed", SHOWN);
    const partly = await left("refused", SHOWN - failed.length);
    const seen = [...failed, ...partly];
    const items = [...seen, ...(await left("nothing_to_do", SHOWN - seen.length))];
    const orders = items.map(({ subject, outcome, message }) => ({
      orderId: gid("Order", subject ?? ""),
      outcome: outcome ?? "failed",
      isChanged: message === CHANGED_MEANWHILE,
    }));
    const names = await tenant.orders.namesOf(orders.map(({ orderId }) => orderId));
    const { action, actor, state } = batch;
    // Looked up once the run is over: until then the page shows how far it is, and asks again each second.
    const ids = hasEnded(batch) ? orders.map(({ orderId }) => orderId) : [];
    const open = Map.groupBy(await tenant.overview.attentionOf(ids), ({ orderId }) => orderId);
    return {
      ...{ actor, state, action: actionSchema.parse(action) },
      counts: await tenant.batches.countsOf(batchId),
      notDone: orders.map((one) => ({
        ...one,
        orderName: names.get(one.orderId) ?? "",
        open: (open.get(one.orderId) ?? []).map(({ reason }) => reason),
      })),
    };
  });
}
