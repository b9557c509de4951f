import type { Shop } from "../../shops/shop.ts";
import type { StoreOrder, StoreOrderLine } from "../order.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";
import { environmentOf } from "./environment-of.ts";
import { planUnits } from "./plan-units.ts";
import { readAgain } from "./read-again.ts";

/** How long until an order that waits for the end of a pause is read again. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Puts the reading of an order off when the database was restored and some of a line was taken back. The units that were ordered
 * are known once the service's list has been walked. Chosen before, the wrong one would be opened, or cancelled. Orders from after
 * the restore are known whole. Returns whether another reading was queued, asked for in the same words.
 */
export async function waitForPause(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  order: StoreOrder,
  asked: { shop: Shop; isWanted?: boolean | undefined; ignoredSince?: string | undefined },
): Promise<boolean> {
  const inPart = order.lines.filter(
    ({ quantity, currentQuantity: left }) => left > 0 && left < quantity,
  );
  if (order.cancelledAt || inPart.length === 0) return false;
  const { shop, isWanted, ignoredSince } = asked;
  return tenancy.inShop(shop.shop, async (tenant) => {
    // The shop may have gone live since the store was asked.
    const current = (await tenant.shops.find()) ?? shop;
    const pause = await tenant.restores.pause(environmentOf(current, order));
    if (!pause || order.processedAt >= pause.since) return false;
    if (!(await isAnyOpen(tenant, order, inPart))) return false;
    const startAfter = new Date(clock.now().getTime() + LOOK_AGAIN_MS);
    await readAgain(tenant, { orderId: order.id, isWanted, ignoredSince }, { startAfter });
    return true;
  });
}

/** Whether a unit of one of these lines would be opened, or cancelled as one that was never sent. */
async function isAnyOpen(
  tenant: Tenant,
  { id }: StoreOrder,
  lines: StoreOrderLine[],
): Promise<boolean> {
  const requests = await tenant.requests.forOrder(id);
  return lines.some((line) => {
    const own = requests.filter(({ lineItemId }) => lineItemId === line.id);
    return own.length === 0 || planUnits(own, line.currentQuantity).cancel.length > 0;
  });
}
