import { z } from "zod";

const userErrors = z.array(z.object({ message: z.string() }));

export const ADD_TAG_MUTATION = `#graphql
  mutation PathwayAddTag($id: ID!, $tags: [String!]!) {
    tagsAdd(id: $id, tags: $tags) {
      userErrors {
        field
        message
      }
    }
  }
`;
export const addTagAnswer = z.object({ tagsAdd: z.object({ userErrors }).nullable() });

/**
 * Asks for an order's lines that are still to be fulfilled, place by place. A line that is fulfilled in part is not
 * "open" any more, so all are read. The sizes keep the query below what Shopify lets one query cost (1,000 points).
 */
export const OPEN_LINES_QUERY = `#graphql
  query PathwayOpenLines($id: ID!, $after: String) {
    order(id: $id) {
      id
      fulfillmentOrders(first: 10, after: $after) {
        nodes {
          id
          lineItems(first: 40) {
            nodes {
              id
              remainingQuantity
              lineItem {
                id
                refundableQuantity
                unfulfilledQuantity
              }
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`;
/** Asks for the lines of one place that its first page left out. */
export const MORE_OPEN_LINES_QUERY = `#graphql
  query PathwayMoreOpenLines($id: ID!, $after: String) {
    fulfillmentOrder(id: $id) {
      id
      lineItems(first: 100, after: $after) {
        nodes {
          id
          remainingQuantity
          lineItem {
            id
            refundableQuantity
            unfulfilledQuantity
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`;
/** Asks how much of lines is not fulfilled, wherever it is. */
export const LINES_QUERY = `#graphql
  query PathwayLines($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on LineItem {
        id
        refundableQuantity
        unfulfilledQuantity
      }
    }
  }
`;
const wholeLine = z.object({
  id: z.string(),
  refundableQuantity: z.number(),
  unfulfilledQuantity: z.number(),
});
export const linesAnswer = z.object({ nodes: z.array(wholeLine.nullable()) });

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
const openLines = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      remainingQuantity: z.number(),
      lineItem: wholeLine,
    }),
  ),
  pageInfo,
});
export const openLinesAnswer = z.object({
  order: z
    .object({
      fulfillmentOrders: z.object({
        nodes: z.array(z.object({ id: z.string(), lineItems: openLines })),
        pageInfo,
      }),
    })
    .nullable(),
});
export const moreOpenLinesAnswer = z.object({
  fulfillmentOrder: z.object({ lineItems: openLines }).nullable(),
});

export const FULFIL_MUTATION = `#graphql
  mutation PathwayFulfil($fulfillment: FulfillmentInput!) {
    fulfillmentCreate(fulfillment: $fulfillment) {
      fulfillment {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`;
export const fulfilAnswer = z.object({ fulfillmentCreate: z.object({ userErrors }).nullable() });

/** Starts the workflows of a trigger (extensions/flow-*). */
export const START_FLOW_MUTATION = `#graphql
  mutation PathwayStartFlow($handle: String!, $payload: JSON!) {
    flowTriggerReceive(handle: $handle, payload: $payload) {
      userErrors {
        field
        message
      }
    }
  }
`;
export const startFlowAnswer = z.object({
  flowTriggerReceive: z.object({ userErrors }).nullable(),
});
