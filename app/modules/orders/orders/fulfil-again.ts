import type { OrderId, ShopDomain } from "../../kernel/ids.ts";
import type { StoreOrder } from "../order.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";

/** A person who released the order's fulfilment, or fulfilled it themselves, waits for no further form. */
export const fulfilAgain = ({ jobs, shop }: Tenant, orderId: OrderId): Promise<void> =>
  jobs.enqueue({
    ...{ name: "publish-order-status", shop, orderId, requestId: null },
    ...{ milestone: "referral_issued", way: "fulfilment" },
  });

/** The same, where the tests were ordered under another name of the store: the item alone stands under this one. */
export async function fulfilAgainElsewhere(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
  { id, storeId }: StoreOrder,
): Promise<void> {
  if (!storeId) return;
  const other = await tenancy.inShop(shop, ({ shops }) => shops.otherNameThatOrdered(id, storeId));
  if (other) await tenancy.inShop(other, (tenant) => fulfilAgain(tenant, id));
}
