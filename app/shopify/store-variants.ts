import { gid } from "../domain/ids.ts";
import type { StoreVariants } from "../domain/mappings/store-products.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { VARIANTS_BY_ID_QUERY, variantsByIdAnswerSchema } from "./operations/variants-by-id.ts";

/** Shopify takes at most this many ids at once. */
const IDS_AT_ONCE = 250;

/** Variants by their ids, read through the Admin API. */
export function createStoreVariants(graphql: AdminGraphql): StoreVariants {
  return {
    async stillSold(shop, variantIds) {
      const sold = new Set<(typeof variantIds)[number]>();
      for (let from = 0; from < variantIds.length; from += IDS_AT_ONCE) {
        const ids = variantIds.slice(from, from + IDS_AT_ONCE);
        const answer = await graphql(shop, VARIANTS_BY_ID_QUERY, { ids }, variantsByIdAnswerSchema);
        for (const node of answer.nodes) if (node) sold.add(gid("ProductVariant", node.id));
      }
      return sold;
    },
  };
}
