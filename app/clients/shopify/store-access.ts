import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Shop } from "../../modules/shops/shop.ts";
import type { StoreAccess } from "../../modules/shops/store-access.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import {
  CUSTOMER_QUERY,
  customerAnswerSchema,
  SHOP_QUERY,
  shopAnswerSchema,
} from "./operations/store-access.ts";
import { StoreError } from "./store-error.ts";

/** `find` reads the shop's row: whether Shopify refused to renew its last session, and the id that it had first. */
export function createStoreAccess(
  graphql: AdminGraphql,
  find: (shop: ShopDomain) => Promise<Pick<Shop, "accessRefusedAt" | "storeId"> | null>,
): StoreAccess {
  return {
    async check(shop) {
      try {
        const { shop: store } = await graphql(shop, SHOP_QUERY, {}, shopAnswerSchema);
        const ours = (await find(shop))?.storeId ?? store.id;
        return store.id === ours ? "open" : "of_other_store";
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        if (error.code === "store_not_signed_in") return "refused";
        if (error.code !== "store_no_session") throw error;
        return (await find(shop))?.accessRefusedAt ? "refused" : "unknown";
      }
    },
    async hasCustomer(shop, id) {
      const { customer } = await graphql(shop, CUSTOMER_QUERY, { id }, customerAnswerSchema);
      return customer !== null;
    },
  };
}
