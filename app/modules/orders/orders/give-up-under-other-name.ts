import type { ShopDomain } from "../../kernel/ids.ts";
import { withResults } from "../../referrals/with-results.ts";
import type { StoreOrder } from "../order.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";
import { cancelUnits } from "./cancel-units.ts";
import { planOrder } from "./plan-order.ts";

/** Units that are no longer bought, and that the service may know of by another name of the store. */
export interface LeftUnderOtherName {
  left: number;
  /** Some of them were still wanted before this reading. */
  isNews: boolean;
}

const NOTHING_LEFT: LeftUnderOtherName = { left: 0, isNews: false };

/**
 * Gives up what an order buys no more where it was ordered: once a store has changed its name, refunds and cancellations come under the new one
 * alone. Nothing is opened there or taken up again, so that a reading that is overtaken by a later one does no harm.
 */
export async function giveUpUnderOtherName(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
  order: StoreOrder,
): Promise<LeftUnderOtherName> {
  const { storeId } = order;
  if (!storeId || !buysLess(order)) return NOTHING_LEFT;
  const other = await tenancy.inShop(shop, async ({ shops }) => {
    if ((await shops.find())?.storeId !== storeId) await shops.identify(storeId);
    return shops.otherNameThatOrdered(order.id, storeId);
  });
  if (!other) return NOTHING_LEFT;
  return tenancy.inShop(other, (tenant) => giveUp(tenant, order, clock.now()));
}

const buysLess = ({ cancelledAt, lines }: StoreOrder): boolean =>
  cancelledAt !== null || lines.some((line) => line.currentQuantity < line.quantity);

async function giveUp(tenant: Tenant, order: StoreOrder, now: Date): Promise<LeftUnderOtherName> {
  const existing = await tenant.requests.forOrderForUpdate(order.id);
  const reported = await withResults(tenant, existing);
  // Without what its products mean, a plan opens nothing.
  const { cancel: requests } = planOrder(order, { matches: new Map(), existing, reported });
  await cancelUnits(tenant, { orderId: order.id, requests, now });
  const after = await tenant.requests.forOrder(order.id);
  const given = new Set(requests.map(({ id }) => id));
  return {
    left: after.filter(({ id, state }) => given.has(id) && state !== "cancelled").length,
    isNews: requests.some(({ cancellation }) => cancellation?.requestedBy !== "store"),
  };
}
