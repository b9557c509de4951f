import { z } from "zod";

/** One page of orders, with as little of each as tells whether it was missed. */
export const ORDER_LIST_QUERY = `#graphql
  query PathwayOrderList($query: String!, $after: String) {
    orders(first: 50, after: $after, query: $query, sortKey: UPDATED_AT) {
      nodes {
        id
        name
        displayFinancialStatus
        fullyPaid
        updatedAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

export const ORDER_BY_ID_QUERY = `#graphql
  query PathwayOrderById($id: ID!) {
    order(id: $id) {
      id
      name
      displayFinancialStatus
      fullyPaid
      updatedAt
    }
  }
`;

const listedOrder = z.object({
  id: z.string(),
  name: z.string(),
  displayFinancialStatus: z.string().nullable(),
  fullyPaid: z.boolean().nullish(),
  updatedAt: z.string(),
});

export const orderListAnswerSchema = z.object({
  orders: z.object({
    nodes: z.array(listedOrder),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

export const orderByIdAnswerSchema = z.object({ order: listedOrder.nullable() });

export type ListedOrderAnswer = z.infer<typeof listedOrder>;
