import { z } from "zod";

/** Lists what the store sells. */
export const VARIANTS_QUERY = `#graphql
  query PathwayVariants($after: String, $query: String) {
    productVariants(first: 100, after: $after, query: $query) {
      nodes {
        id
        title
        sku
        price
        product {
          id
          title
          status
          hasOnlyDefaultVariant
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

export const variantsAnswerSchema = z.object({
  productVariants: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        sku: z.string().nullable(),
        /** Decimal text, for example "129.00". */
        price: z.string(),
        product: z.object({
          id: z.string(),
          title: z.string(),
          status: z.string(),
          hasOnlyDefaultVariant: z.boolean(),
        }),
      }),
    ),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});
