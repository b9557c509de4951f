import type { LineItemId } from "../../kernel/ids.ts";
import { isUnsent, type ReferralRequest } from "../../referrals/request.ts";
import type { StoreOrder } from "../order.ts";
import type { OrderReason } from "../order-reason.ts";
import type { Tenant } from "../tenant.ts";
import type { EmailDoubt } from "./follow-buyer.ts";
import type { LeftUnderOtherName } from "./give-up-under-other-name.ts";
import { needPerson } from "./need-person.ts";

/** The findings of a reading of an order. */
export interface OrderFindings {
  /** Lines that owe units, and nobody knows of what. */
  unmapped: LineItemId[];
  /** Those among them that are parts of a bundle which is mapped itself. */
  ofBundles: LineItemId[];
  /** Units that wait for the rest of the money. */
  owed: number;
  /** Whether the order went from one customer to another, and kept the email. */
  email: EmailDoubt;
  /** Units of an order of long ago that nobody has asked for here. */
  backdated: number;
  /** Units of an order that was ordered under another domain of the store. */
  otherName: number;
  /** Units of such an order that are no longer bought, and that were ordered at the service. */
  elsewhere?: LeftUnderOtherName | undefined;
  /** Units that were sold while their product was no test. */
  ignored: number;
  /** Units that are still to come though all the money was given back. */
  givenAway: number;
  existing: ReferralRequest[];
  opened: number;
}

/** A reading of an order beside the one before it. */
interface Reading {
  /** Its lines that nobody knew the meaning of when it was last read. */
  before: ReadonlySet<LineItemId>;
  /** Whether a line buys more units than it did when somebody dealt with a reason of the order. */
  hasGrown: boolean;
  /** The order was never read before: nothing was said of it that could be taken back. */
  isFirst: boolean;
}

/**
 * Says why a person has to look at an order, or that nobody has to. A reason that was marked as handled says nothing of a line, or of units,
 * that came since.
 */
export async function recordAttention(
  tenant: Tenant,
  order: StoreOrder,
  found: OrderFindings,
  { before, hasGrown, isFirst }: Reading,
): Promise<void> {
  const reasons = reasonsFor(order, found);
  if (isFirst && reasons.length === 0) return;
  const anew = new Set<OrderReason>(hasGrown ? OF_UNITS : []);
  if (found.unmapped.some((line) => !before.has(line))) anew.add("unmapped_line");
  if (found.ofBundles.some((line) => !before.has(line))) anew.add("parts_of_bundle");
  if (found.elsewhere?.isNews) anew.add("other_name");
  if (found.email === "anew") anew.add("customer_changed");
  await needPerson(
    tenant,
    order.id,
    reasons,
    reasons.filter((reason) => anew.has(reason)),
  );
}

/** Reasons that stand for units which are not ordered. */
const OF_UNITS = [
  "other_name",
  "backdated",
  "not_a_test_then",
  "money_back",
  "paid_in_part",
] as const satisfies OrderReason[];

/** All reasons, the first of them first: that nobody can be asked keeps what was ordered from being made. */
function reasonsFor(
  order: StoreOrder,
  {
    unmapped,
    ofBundles,
    owed,
    backdated,
    otherName,
    elsewhere,
    ignored,
    givenAway,
    existing,
    opened,
    email,
  }: OrderFindings,
): OrderReason[] {
  const isLeftElsewhere = (elsewhere?.left ?? 0) > 0;
  if (order.cancelledAt) {
    // Its results may come all the same.
    const isAnySent = existing.some((one) => one.state !== "cancelled" && !isUnsent(one));
    return [
      ...(email !== "none" && isAnySent ? ["customer_changed" as const] : []),
      ...(isLeftElsewhere ? ["other_name" as const] : []),
    ];
  }
  const waiting = opened > 0 || existing.some((request) => request.state === "awaiting_details");
  const reachable = order.customerId !== null || order.buyer.email !== null;
  const found: [OrderReason, boolean][] = [
    ["no_contact", waiting && !reachable],
    // Somebody else's results may be mailed there.
    ["customer_changed", email !== "none"],
    ["other_name", otherName > 0 || isLeftElsewhere],
    ["backdated", backdated > 0],
    ["not_a_test_then", ignored > 0],
    ["money_back", givenAway > 0],
    ["parts_of_bundle", ofBundles.length > 0],
    ["unmapped_line", unmapped.length > ofBundles.length],
    // Nobody can tell which of its units the money was for, so all that are not ordered yet wait.
    ["paid_in_part", owed > 0],
  ];
  return found.flatMap(([reason, stands]) => (stands ? [reason] : []));
}
