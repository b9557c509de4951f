import { z } from "zod";
import type { ShopDomain } from "../domain/ids.ts";
import type { StoreAccess } from "../domain/shops/store-access.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { StoreError } from "./store-error.ts";

/** Asks for nothing that could be refused for another reason than that the app is not let in. */
export const SHOP_QUERY = `#graphql
  query PathwayShop {
    shop {
      id
    }
  }
`;
const shopAnswerSchema = z.object({ shop: z.object({ id: z.string() }) });

export const CUSTOMER_QUERY = `#graphql
  query PathwayCustomer($id: ID!) {
    customer(id: $id) {
      id
    }
  }
`;
const customerAnswerSchema = z.object({ customer: z.object({ id: z.string() }).nullable() });

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
