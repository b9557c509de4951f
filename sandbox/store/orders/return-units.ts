import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { nextId } from "../state/next-id.ts";
import type { OrderDocument, ReturnRecord } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { lineQuantities } from "./amounts.ts";
import { publishOrder, saveOrder } from "./change-order.ts";

/**
 * Opens a return of units that were fulfilled, as Shopify wants of a return, and tells the app: orders/updated. Money
 * comes back by a refund that names the return.
 */
export function openReturn(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  input: { lines: { lineItemId: number; quantity: number }[]; lowersQuantity: boolean },
): OrderDocument {
  for (const { lineItemId, quantity } of input.lines) {
    const line = order.lines.find(({ id }) => id === lineItemId);
    if (!line) throw new Refusal(404, `order ${order.name} has no line ${lineItemId}`);
    const onTheirWay = (order.returns ?? [])
      .filter(({ status }) => status !== "CANCELED")
      .flatMap((entry) => entry.lines.filter((unit) => unit.lineItemId === lineItemId))
      .reduce((units, entry) => units + entry.quantity, 0);
    if (quantity > lineQuantities(order, line).fulfilled - onTheirWay)
      throw new Refusal(422, "only fulfilled units can be returned");
  }
  const returns = order.returns ?? [];
  const opened: ReturnRecord = {
    id: nextId(platform.data),
    name: `${order.name}-R${returns.length + 1}`,
    createdAt: platform.clock.nowIso(),
    status: "OPEN",
    lines: input.lines.map((line) => ({ id: nextId(platform.data), ...line })),
    lowersQuantity: input.lowersQuantity,
  };
  return save(platform, shop, order, [...returns, opened]);
}

/** Ends a return: closed when it is done with, cancelled when the units stay with the buyer. Tells the app: orders/updated. */
export function endReturn(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  { id, status }: Pick<ReturnRecord, "id" | "status">,
): OrderDocument {
  const returns = order.returns ?? [];
  if (returns.find((entry) => entry.id === id)?.status !== "OPEN")
    throw new Refusal(422, `order ${order.name} has no open return ${id}`);
  if (status === "CANCELED" && order.refunds.some(({ returnId }) => returnId === id))
    throw new Refusal(422, "a return that was refunded cannot be cancelled");
  return save(
    platform,
    shop,
    order,
    returns.map((entry) => (entry.id === id ? { ...entry, status } : entry)),
  );
}

function save(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  returns: ReturnRecord[],
): OrderDocument {
  const changed = saveOrder(platform, order, { returns });
  publishOrder(platform, shop, changed, ["orders/updated"]);
  return changed;
}

/** Order.returnStatus */
export function returnStatus(order: OrderDocument): "NO_RETURN" | "IN_PROGRESS" | "RETURNED" {
  const returns = (order.returns ?? []).filter(({ status }) => status !== "CANCELED");
  if (returns.length === 0) return "NO_RETURN";
  return returns.some(({ status }) => status === "OPEN") ? "IN_PROGRESS" : "RETURNED";
}
