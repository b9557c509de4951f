import { gid } from "../domain/ids.ts";
import type { StoreProducts } from "../domain/mappings/store-products.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { VARIANTS_QUERY, variantsAnswerSchema } from "./operations/variants.ts";

/** Products, read through the Admin API. */
export function createStoreProducts(graphql: AdminGraphql): StoreProducts {
  return {
    async variants(shop, { after, query }) {
      const variables = { after, query: query ?? null };
      const answer = await graphql(shop, VARIANTS_QUERY, variables, variantsAnswerSchema);
      const { nodes, pageInfo } = answer.productVariants;
      return {
        variants: nodes.map((variant) => ({
          id: gid("ProductVariant", variant.id),
          productId: gid("Product", variant.product.id),
          productTitle: variant.product.title,
          variantTitle: variant.product.hasOnlyDefaultVariant ? null : variant.title,
          sku: variant.sku || null,
          priceCents: Math.round(Number(variant.price) * 100),
        })),
        next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      };
    },
  };
}
