import { z } from "zod";

/** Finds orders by the number that people know. Shopify matches loosely; the reader compares. */
export const ORDER_BY_NAME_QUERY = `#graphql
  query PathwayOrderByName($query: String!) {
    orders(first: 5, query: $query) {
      nodes {
        id
        name
      }
    }
  }
`;

export const orderByNameSchema = z.object({
  orders: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }),
});
