import { z } from "zod";
import { gid } from "../kernel/ids.ts";
import type { BatchHandler } from "../kernel/work-batch.ts";
import { BULK_ACTIONS } from "./bulk-action.ts";
import { doToOrder } from "./do-to-order.ts";
import type { Ports } from "./ports.ts";
import { readSelection } from "./selection-text.ts";
import { orderItem } from "./start-bulk-action.ts";
import type { Tenant } from "./tenant.ts";

const COLLECTED_AT_ONCE = 1000;

const actionSchema = z.enum(BULK_ACTIONS);
const planSchema = z.object({ selection: z.string() });
const detailSchema = z.object({ reasons: z.array(z.string()) });

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
  async work(ports, { tenant: { shop }, batch: { action, actor }, item }) {
    const order = { shop, actor, orderId: gid("Order", item.subject), isOneOfMany: true };
    const { reasons } = detailSchema.parse(item.detail);
    return {
      outcome: await doToOrder(ports, { ...order, reasons, action: actionSchema.parse(action) }),
    };
  },
};
