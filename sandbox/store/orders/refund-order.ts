import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { nextId } from "../state/next-id.ts";
import type { OrderDocument, RefundRecord } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { refundPayload } from "../webhooks/payloads/refund.ts";
import { publish } from "../webhooks/publish.ts";
import { lineQuantities, netCents, orderAmounts } from "./amounts.ts";
import { publishOrder, saveOrder } from "./change-order.ts";

export interface RefundInput {
  /** `returned`: they had been fulfilled and came back, instead of being taken off what is still to be fulfilled. */
  lines: { lineItemId: number; quantity: number; returned?: boolean | undefined }[];
  /** The return that this is the money for. */
  returnId?: number | null;
  note?: string | null;
  /** Gives the postage back as well. */
  shipping?: boolean;
  /** By default what the lines and the postage cost, as far as it was paid. */
  amountCents?: number;
}

export interface RefundedOrder {
  order: OrderDocument;
  refund: RefundRecord;
}

/**
 * Refunds units of an order's lines at the price paid and tells the app: refunds/create, then orders/updated.
 * Throws {@link Refusal} when a line or the return is not the order's, the line has fewer refundable units, or the order
 * has less money.
 */
export function refundOrder(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  input: RefundInput,
): RefundedOrder {
  const refunded = applyRefund(platform, order, input);
  publishRefund(platform, shop, refunded);
  publishOrder(platform, shop, refunded.order, ["orders/updated"]);
  return refunded;
}

export function publishRefund(
  platform: Platform,
  shop: ShopDocument,
  { order, refund }: RefundedOrder,
): void {
  publish(platform, shop, "refunds/create", refundPayload(order, refund, shop, platform.data));
}

/** The refund itself, without telling anybody. */
export function applyRefund(
  platform: Platform,
  order: OrderDocument,
  input: RefundInput,
): RefundedOrder {
  const { data, clock } = platform;
  const lines = input.lines.map(({ lineItemId, quantity, returned }) => {
    const line = order.lines.find((candidate) => candidate.id === lineItemId);
    if (!line) throw new Refusal(404, `order ${order.name} has no line ${lineItemId}`);
    const { refundable, unfulfilled } = lineQuantities(order, line);
    if (quantity > refundable) {
      throw new Refusal(422, `only ${refundable} units of line ${lineItemId} can be refunded`);
    }
    const sentOut = refundable - unfulfilled;
    if (returned && quantity > sentOut)
      throw new Refusal(422, `only ${sentOut} units of line ${lineItemId} can come back`);
    return {
      id: nextId(data),
      lineItemId,
      quantity,
      subtotalCents: netCents(line, quantity),
      fulfilledUnits: returned ? quantity : Math.max(0, quantity - unfulfilled),
    };
  });
  if (input.returnId != null && !(order.returns ?? []).some(({ id }) => id === input.returnId))
    throw new Refusal(404, `order ${order.name} has no return ${input.returnId}`);
  const { currentShippingCents, receivedCents, refundedCents } = orderAmounts(order);
  const shippingCents = input.shipping ? currentShippingCents : 0;
  const leftCents = receivedCents - refundedCents;
  if (input.amountCents !== undefined && input.amountCents > leftCents)
    throw new Refusal(422, `only ${leftCents} cents of order ${order.name} can be given back`);
  const costCents = lines.reduce((cents, line) => cents + line.subtotalCents, shippingCents);
  const amountCents = input.amountCents ?? Math.min(costCents, leftCents); // units that nobody paid go without money
  const sale = order.transactions.find((entry) => entry.kind === "SALE");
  const at = clock.nowIso();
  const transactionId = amountCents > 0 ? nextId(data) : null;
  const refund: RefundRecord = {
    id: nextId(data),
    createdAt: at,
    note: input.note ?? null,
    lines,
    returnId: input.returnId ?? null,
    shippingCents,
    transactionId,
  };
  const changed = saveOrder(platform, order, {
    refunds: [...order.refunds, refund],
    transactions:
      transactionId === null
        ? order.transactions
        : [
            ...order.transactions,
            {
              id: transactionId,
              kind: "REFUND",
              status: "SUCCESS",
              gateway: sale?.gateway ?? "manual",
              amountCents,
              parentId: sale?.id ?? null,
              createdAt: at,
            },
          ],
  });
  return { order: changed, refund };
}
