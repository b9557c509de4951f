import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { nextId } from "../state/next-id.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { orderAmounts } from "./amounts.ts";
import { publishOrder, saveOrder } from "./change-order.ts";

/** The buyer pays what an edit added. Tells the app: orders/paid, then orders/updated. */
export function payOutstanding(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
): OrderDocument {
  const { outstandingCents } = orderAmounts(order);
  if (outstandingCents === 0) throw new Refusal(422, `order ${order.name} is paid`);
  const paid = saveOrder(platform, order, {
    transactions: [
      ...order.transactions,
      {
        id: nextId(platform.data),
        kind: "SALE",
        status: "SUCCESS",
        gateway: order.transactions[0]?.gateway ?? "manual",
        amountCents: outstandingCents,
        parentId: null,
        createdAt: platform.clock.nowIso(),
      },
    ],
  });
  publishOrder(platform, shop, paid, ["orders/paid", "orders/updated"]);
  return paid;
}
