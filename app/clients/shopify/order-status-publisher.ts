import { gid, gidNumber } from "../../modules/kernel/ids.ts";
import type { OrderStatusPublisher } from "../../modules/orders/order-status-publisher.ts";
import type { Milestone } from "../../modules/referrals/milestone.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import {
  ADD_TAG_MUTATION,
  addTagAnswer,
  FULFIL_MUTATION,
  fulfilAnswer,
  OPEN_LINES_QUERY,
  openLinesAnswer,
  START_FLOW_MUTATION,
  startFlowAnswer,
} from "./operations/order-status-publisher.ts";
import { StoreError } from "./store-error.ts";

/** Handles of the triggers, as extensions/flow-* declare them. */
const FLOW_HANDLES: Record<Milestone, string> = {
  referral_issued: "pathway-referral-issued",
  results_ready: "pathway-results-ready",
  attention_needed: "pathway-attention-needed",
};
const OUTAGE_HANDLE = "pathway-outage";

type Refusal = { userErrors: { message: string }[] } | null;

/** Tags, fulfilments and workflows, through the Admin API. */
export function createOrderStatusPublisher(graphql: AdminGraphql): OrderStatusPublisher {
  return {
    async addTag(shop, id, tag) {
      const variables = { id, tags: [tag] };
      accept((await graphql(shop, ADD_TAG_MUTATION, variables, addTagAnswer)).tagsAdd);
    },
    async openLines(shop, id) {
      const { order } = await graphql(shop, OPEN_LINES_QUERY, { id }, openLinesAnswer);
      return (order?.fulfillmentOrders.nodes ?? []).flatMap((place) =>
        place.lineItems.nodes.map((line) => ({
          fulfillmentOrderId: place.id,
          fulfillmentOrderLineId: line.id,
          lineItemId: gid("LineItem", line.lineItem.id),
          remaining: line.remainingQuantity,
        })),
      );
    },
    async fulfil(shop, units) {
      // One at a time: a fulfilment leaves from one location. What was done before a refusal is not open any more.
      const places = Map.groupBy(units, ({ line }) => line.fulfillmentOrderId);
      for (const [fulfillmentOrderId, own] of places) {
        const fulfillmentOrderLineItems = own.map(({ line, quantity }) => ({
          id: line.fulfillmentOrderLineId,
          quantity,
        }));
        const fulfillment = {
          notifyCustomer: false,
          lineItemsByFulfillmentOrder: [{ fulfillmentOrderId, fulfillmentOrderLineItems }],
        };
        const answer = await graphql(shop, FULFIL_MUTATION, { fulfillment }, fulfilAnswer);
        accept(answer.fulfillmentCreate);
      }
    },
    async startFlow(shop, { milestone, orderId, requestId }) {
      const variables = {
        handle: FLOW_HANDLES[milestone],
        // The order as Flow's reference field wants it: its number.
        payload: { order_id: Number(gidNumber(orderId)), "Request id": requestId ?? "" },
      };
      const answer = await graphql(shop, START_FLOW_MUTATION, variables, startFlowAnswer);
      accept(answer.flowTriggerReceive);
    },
    async startOutageFlow(shop, { environment, since, isOver }) {
      const payload = {
        State: isOver ? "ended" : "began",
        Environment: environment,
        Since: since,
      };
      const variables = { handle: OUTAGE_HANDLE, payload };
      const answer = await graphql(shop, START_FLOW_MUTATION, variables, startFlowAnswer);
      accept(answer.flowTriggerReceive);
    },
  };
}

/** An explicit refusal by Shopify is tried again later, like any other refusal of the store. */
function accept(answer: Refusal): void {
  if (!answer || answer.userErrors.length > 0) throw new StoreError("store_refused");
}
