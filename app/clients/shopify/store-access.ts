import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { StoreAccess } from "../../modules/shops/store-access.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import {
  CUSTOMER_QUERY,
  customerAnswerSchema,
  SHOP_QUERY,
  shopAnswerSchema,
} from "./operations/store-access.ts";
import { StoreError } from "./store-error.ts";

/** `wasRefused`: whether Shopify refused to renew the shop's last session. */
export function createStoreAccess(
  graphql: AdminGraphql,
  wasRefused: (shop: ShopDomain) => Promise<boolean>,
): StoreAccess {
  return {
    async check(shop) {
      try {
        await graphql(shop, SHOP_QUERY, {}, shopAnswerSchema);
        return "open";
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        if (error.code === "store_not_signed_in") return "refused";
        if (error.code !== "store_no_session") throw error;
        return (await wasRefused(shop)) ? "refused" : "unknown";
      }
    },
    async hasCustomer(shop, id) {
      const { customer } = await graphql(shop, CUSTOMER_QUERY, { id }, customerAnswerSchema);
      return customer !== null;
    },
  };
}
