import type { LineItemId } from "../../kernel/ids.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import type { StoreOrder } from "../order.ts";
import type { OrderReason } from "../order-reason.ts";
import type { Tenant } from "../tenant.ts";
import type { EmailDoubt } from "./follow-buyer.ts";
import { needPerson } from "./need-person.ts";

/** The findings of a reading of an order. */
export interface OrderFindings {
  /** Lines that owe units, and nobody knows of what. */
  unmapped: LineItemId[];
  /** Units that wait for the rest of the money. */
  owed: number;
  /** Whether the order went from one customer to another, and kept the email. */
  email: EmailDoubt;
  /** Units of an order of long ago that nobody has asked for here. */
  backdated: number;
  /** Units that are still to come though all the money was given back. */
  givenAway: number;
  existing: ReferralRequest[];
  opened: number;
}

/**
 * Says why a person has to look at an order, or that nobody has to. `before` are its lines that nobody knew the meaning
 * of when it was last read: what was marked as handled then says nothing of a line that came since. Of an order that was
 * never read before nothing was said that could be taken back.
 */
export async function recordAttention(
  tenant: Tenant,
  order: StoreOrder,
  found: OrderFindings,
  { before, isFirst }: { before: ReadonlySet<LineItemId>; isFirst: boolean },
): Promise<void> {
  const reason = reasonFor(order, found);
  if (isFirst && reason === null) return;
  const isAnew =
    (reason === "unmapped_line" && found.unmapped.some((line) => !before.has(line))) ||
    (reason === "customer_changed" && found.email === "anew");
  await needPerson(tenant, order.id, reason, { isAnew });
}

/** The first of all reasons: that nobody can be asked keeps what was ordered from being made. */
function reasonFor(
  order: StoreOrder,
  { unmapped, owed, backdated, givenAway, existing, opened, email }: OrderFindings,
): OrderReason | null {
  if (order.cancelledAt) return null;
  const waiting = opened > 0 || existing.some((request) => request.state === "awaiting_details");
  const reachable = order.customerId !== null || order.buyer.email !== null;
  if (waiting && !reachable) return "no_contact";
  // Somebody else's results may be mailed there.
  if (email !== "none") return "customer_changed";
  if (backdated > 0) return "backdated";
  if (givenAway > 0) return "money_back";
  if (unmapped.length > 0) return "unmapped_line";
  // Nobody can tell which of its units the money was for, so all that are not ordered yet wait.
  return owed > 0 ? "paid_in_part" : null;
}
