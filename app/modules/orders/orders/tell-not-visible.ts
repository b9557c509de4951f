import type { OrderId } from "../../kernel/ids.ts";
import type { PaidOrder } from "../../kernel/inbox.ts";
import { isBeforeSetBack } from "../../kernel/secret.ts";
import { withResults } from "../../referrals/with-results.ts";
import type { OrderReason } from "../order-reason.ts";
import type { Tenant } from "../tenant.ts";
import { needPerson } from "./need-person.ts";

const REASON = "order_not_visible";
const PAID = "paid_not_visible";

/** A reading that found nothing. */
interface Unseen {
  /** When it began (`orders.beginReading`). */
  readAt: Date;
  now: Date;
  /** The message that led to it told of a late payment (`paidLate`). */
  paid?: PaidOrder | undefined;
}

/**
 * Has a person told that the store does not show an order any more, so that nothing of what is refunded or changed
 * there is seen here: without the scope `read_all_orders` it shows those of 60 days. Its units stay as they are. The
 * next reading that succeeds ends it. Nobody is told where a refund would change nothing: no money was real, or only
 * results are left. An order that is not known, waits for the rest of its money, or grew since it was read has a person told once it is
 * paid: nobody else can see whether tests were bought (docs/decisions/0156-a-late-payment-is-told.md).
 */
export async function tellNotVisible(
  tenant: Tenant,
  orderId: OrderId,
  { readAt, now, paid }: Unseen,
): Promise<void> {
  const tell = async (reasons: readonly OrderReason[]) => {
    await needPerson(tenant, orderId, reasons);
    await tenant.timeline.add({ kind: "order_not_visible", actor: "pathway", at: now, orderId });
  };
  const order = await tenant.orders.findForUpdate(orderId);
  if (!order) {
    if (!paid) return;
    await tenant.orders.recordUnseen(orderId, paid, readAt);
    return tell([PAID]);
  }
  if (order.redactedAt || order.cancelledAt || order.test) return;
  // Of two readings that began in one millisecond, the one that found the order is believed.
  const isReadSince = order.readAt >= readAt && !isBeforeSetBack(order.readAt, readAt);
  if (isReadSince || order.standing.includes(PAID)) return;
  if (
    paid &&
    (order.standing.includes("paid_in_part") || (await isPaidSince(tenant, orderId, paid)))
  )
    return tell([PAID, ...order.standing]);
  if (order.standing.includes(REASON)) return;
  if (order.reviewCode === null && !(await isAnyUnitOpen(tenant, orderId))) return;
  await tell([REASON, ...order.standing]);
}

/** Whether a payment came after the last reading: something was added to the order meanwhile, and may be a test. */
async function isPaidSince(
  { orders }: Tenant,
  orderId: OrderId,
  { changedAt }: PaidOrder,
): Promise<boolean> {
  const known = await orders.asTold(orderId);
  return known !== null && changedAt > known.changedAt;
}

async function isAnyUnitOpen(tenant: Tenant, orderId: OrderId): Promise<boolean> {
  const requests = await tenant.requests.forOrder(orderId);
  const reported = await withResults(tenant, requests);
  return requests.some(({ id, state }) => state !== "cancelled" && !reported.has(id));
}
