import type { OrderId } from "../../kernel/ids.ts";
import { cancelUnit } from "../../referrals/cancel-unit.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import type { ReviewReason } from "../../referrals/review-reason.ts";
import type { Tenant } from "../tenant.ts";

/**
 * So many units are cancelled in one transaction, which has 20 seconds: each takes some fifteen statements
 * (docs/decisions/0116-a-large-order-is-worked-off-in-parts.md).
 */
const MAX_AT_ONCE = 100;

/** A person was told that the unit is not bought any more. */
const TOLD: ReadonlySet<ReviewReason["code"]> = new Set([
  "refunded_after_results",
  "refunded_after_sending",
  "withdrawal_refused",
] as const);

const isTaken = ({ cancellation, reviewReason }: ReferralRequest): boolean =>
  cancellation?.requestedBy === "store" || (reviewReason !== null && TOLD.has(reviewReason.code));

/**
 * Cancels units that are not bought any more. Where they are too many for one transaction, those that could be sent
 * meanwhile come first, and the order is read again for the rest. Returns how many ended at once.
 */
export async function cancelUnits(
  tenant: Tenant,
  { orderId, requests, now }: { orderId: OrderId; requests: ReferralRequest[]; now: Date },
): Promise<number> {
  const [taken, left] = partition(requests, isTaken);
  const [sendable, others] = partition(left, ({ state }) => state === "ready");
  if (left.length > MAX_AT_ONCE)
    await tenant.jobs.enqueue({ name: "reconcile-order", shop: tenant.shop, orderId });
  let cancelled = 0;
  for (const request of [...sendable, ...others, ...taken].slice(0, MAX_AT_ONCE)) {
    const outcome = await cancelUnit(tenant, request, { by: "store", actor: "shopify", now });
    if (outcome === "cancelled") cancelled++;
  }
  return cancelled;
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
