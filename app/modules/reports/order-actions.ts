import { z } from "zod";
import { gid, type OrderId, type ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { BatchHandler } from "../kernel/work-batch.ts";
import type { SeenReasons } from "./attention-item.ts";
import { type BulkOutcome, CHANGED_MEANWHILE, RUN_ACTIONS } from "./bulk-action.ts";
import { doToOrder } from "./do-to-order.ts";
import { markHandled } from "./mark-handled.ts";
import type { Ports } from "./ports.ts";
import { reopenHandled } from "./reopen-handled.ts";
import { readSelection } from "./selection-text.ts";
import { orderItem } from "./start-bulk-action.ts";
import type { Tenant } from "./tenant.ts";

const COLLECTED_AT_ONCE = 1000;

const actionSchema = z.enum(RUN_ACTIONS);
const planSchema = z.object({ selection: z.string() });
const undoSchema = z.object({
  handledBy: z.string().transform((actor) => actor as Actor),
});
const detailSchema = z.object({
  reasons: z.array(z.string()),
  // A run that began before an upgrade says nothing of it.
  seen: z.record(z.string(), z.string()).nullable().default(null),
});

/** Does one action to many orders: those that were named, or all of a selection. */
export const orderActions: BatchHandler<Tenant, Pick<Ports, "tenancy" | "clock">> = {
  atOnce: 20,
  async collect(tenant, { plan, cursor }) {
    const { orders, next } = await tenant.overview.orderPage({
      ...readSelection(planSchema.parse(plan).selection),
      start: cursor ? { after: cursor } : null,
      size: COLLECTED_AT_ONCE,
    });
    return { items: orders.map(({ orderId }) => orderItem(orderId)), next };
  },
  async work(ports, { tenant: { shop }, batch, item }) {
    const { actor, plan } = batch;
    const order = { shop, actor, orderId: gid("Order", item.subject), isOneOfMany: true };
    const { reasons, seen } = detailSchema.parse(item.detail);
    const action = actionSchema.parse(batch.action);
    switch (action) {
      case "handled":
        return settled(await markReasons(ports, { ...order, reasons, seen }));
      case "reopen": {
        const { handledBy } = undoSchema.parse(plan);
        return settled(await reopenReasons(ports, { ...order, reasons, handledBy }));
      }
      default: {
        const outcome = await doToOrder(ports, { ...order, reasons, seen, action });
        return outcome === CHANGED_MEANWHILE ? LEFT : { outcome };
      }
    }
  },
};

interface Marks {
  shop: ShopDomain;
  actor: Actor;
  orderId: OrderId;
  reasons: string[];
}

const LEFT = { outcome: "nothing_to_do", message: CHANGED_MEANWHILE } as const;

/** The item then names what was done: an undo takes back that alone. */
const settled = (reasons: string[]): { outcome: BulkOutcome; detail?: unknown } =>
  reasons.length > 0 ? { outcome: "done", detail: { reasons } } : { outcome: "nothing_to_do" };

/** Returns the reasons that were marked, of these or of all that the page showed; of all, where nobody says what it showed. */
async function markReasons(
  ports: Pick<Ports, "tenancy" | "clock">,
  { reasons, seen, ...target }: Marks & { seen: SeenReasons | null },
): Promise<string[]> {
  const marked: string[] = [];
  const shown = seen ? Object.keys(seen) : [null];
  for (const reason of reasons.length > 0 ? reasons : shown) {
    const version = reason === null || seen === null ? null : (seen[reason] ?? "");
    const asked = { ...target, reason, seen: version, isOneOfMany: true };
    const outcome = await markHandled(ports, asked);
    if (outcome.kind === "marked") marked.push(...outcome.reasons);
  }
  return marked;
}

async function reopenReasons(
  ports: Pick<Ports, "tenancy" | "clock">,
  { reasons, ...target }: Marks & { handledBy: Actor },
): Promise<string[]> {
  const reopened: string[] = [];
  for (const reason of reasons) {
    const { kind } = await reopenHandled(ports, { ...target, reason, isUndo: true });
    if (kind === "reopened") reopened.push(reason);
  }
  return reopened;
}
