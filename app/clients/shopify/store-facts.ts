import type { StoreFactsReader } from "../../modules/shops/store-facts.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { STORE_FACTS_QUERY, storeFactsAnswerSchema } from "./operations/store-facts.ts";

/** What the merchant has allowed and set, read through the Admin API. */
export function createStoreFactsReader(graphql: AdminGraphql): StoreFactsReader {
  return {
    async read(shop) {
      const answer = await graphql(shop, STORE_FACTS_QUERY, {}, storeFactsAnswerSchema);
      const { accessScopes } = answer.currentAppInstallation;
      return {
        scopes: accessScopes.map(({ handle }) => handle).join(","),
        accounts: answer.shop.customerAccountsV2,
        timeZone: answer.shop.ianaTimezone,
        storeId: answer.shop.id ?? undefined,
        currency: answer.shop.currencyCode,
      };
    },
    async covers(granted, needed) {
      // With the rest of the library: no message needs it (docs/decisions/0020).
      const { AuthScopes } = await import("@shopify/shopify-api");
      return new AuthScopes(granted).has([...needed]);
    },
  };
}
