import type { OrderId, ShopDomain } from "../../kernel/ids.ts";
import type { Turn } from "../../kernel/jobs.ts";
import type { ToldWay } from "../../referrals/milestone.ts";
import { NOT_TOLD } from "../order-reason.ts";
import type { Ports } from "../ports.ts";
import { TURNS_BEFORE_TOLD } from "../refused-for-good.ts";

interface Untold {
  shop: ShopDomain;
  orderId: OrderId;
  way: ToldWay;
}

/**
 * Whether an item that says so may stand, and ends by this try's success. A fulfilment is the whole order's; a tag or
 * a workflow ends the item of its own job alone.
 */
export const mayHaveItem = (way: ToldWay, { retries }: Turn): boolean =>
  way === "fulfilment" || retries >= TURNS_BEFORE_TOLD;

/**
 * Has a person told, once, that the store was not told of an order. The item stands under the store's present name, for nobody opens the
 * admin of a former one. The store itself is not told of this reason: it would be refused as well.
 */
export async function noteNotTold(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, orderId, way }: Untold,
): Promise<void> {
  const { present, told } = await tenancy.inShop(shop, async ({ shops, orders }) => ({
    present: await shops.presentName(),
    told: await orders.asTold(orderId),
  }));
  if (!told) return;
  await tenancy.inShop(present ?? shop, async ({ orders, alerts }) => {
    if (present) await orders.recordUnseen(orderId, told, await orders.beginReading());
    await orders.lock(orderId);
    if (await orders.setNotTold(orderId, NOT_TOLD[way], { isOver: false }))
      await alerts.noteAttention(orderId);
  });
}

/** Ends the item once the store was told, or need not be; also one of before the store had another name. */
export async function endNotTold(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, orderId, way }: Untold,
): Promise<void> {
  const present = await tenancy.inShop(shop, ({ shops }) => shops.presentName());
  for (const name of present ? [shop, present] : [shop])
    await tenancy.inShop(name, async ({ orders, alerts }) => {
      await orders.lock(orderId);
      if (await orders.setNotTold(orderId, NOT_TOLD[way], { isOver: true }))
        await alerts.noteAttention(orderId);
    });
}
