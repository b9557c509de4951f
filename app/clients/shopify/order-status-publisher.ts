import type { z } from "zod";
import { gid, gidNumber, type LineItemId, type ShopDomain } from "../../modules/kernel/ids.ts";
import type {
  OpenLine,
  OrderStatusPublisher,
} from "../../modules/orders/order-status-publisher.ts";
import type { Milestone } from "../../modules/referrals/milestone.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { nextPage } from "./next-page.ts";
import {
  ADD_TAG_MUTATION,
  addTagAnswer,
  FULFIL_MUTATION,
  fulfilAnswer,
  LINES_QUERY,
  linesAnswer,
  MORE_OPEN_LINES_QUERY,
  moreOpenLinesAnswer,
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

type OpenLinesAnswer = z.infer<typeof openLinesAnswer>;
type MoreOpenLinesAnswer = z.infer<typeof moreOpenLinesAnswer>;
type LinesOfPlace = NonNullable<MoreOpenLinesAnswer["fulfillmentOrder"]>["lineItems"];
type Refusal = { userErrors: { message: string }[] } | null;

/** Tags, fulfilments and workflows, through the Admin API. */
export function createOrderStatusPublisher(graphql: AdminGraphql): OrderStatusPublisher {
  /** Every line of a place, of which `first` is the first page. */
  const linesOf = async (shop: ShopDomain, id: string, first: LinesOfPlace) => {
    const nodes = [...first.nodes];
    for (let after = nextPage(first.pageInfo, []); after !== null; ) {
      const variables = { id, after };
      const answer: MoreOpenLinesAnswer = await graphql(
        shop,
        MORE_OPEN_LINES_QUERY,
        variables,
        moreOpenLinesAnswer,
      );
      const lines = answer.fulfillmentOrder?.lineItems;
      nodes.push(...(lines?.nodes ?? []));
      after = lines ? nextPage(lines.pageInfo, [after]) : null;
    }
    return nodes.map((line) => ({
      unfulfilled: line.lineItem.unfulfilledQuantity,
      open: {
        fulfillmentOrderId: id,
        fulfillmentOrderLineId: line.id,
        lineItemId: gid("LineItem", line.lineItem.id),
        remaining: line.remainingQuantity,
        fulfilled: line.lineItem.refundableQuantity - line.lineItem.unfulfilledQuantity,
      } satisfies OpenLine,
    }));
  };
  /** Reads lines that are at no place that Shopify shows: a location or a service that the app may not see has them, or had. */
  const linesElsewhere = async (shop: ShopDomain, ids: readonly LineItemId[]) => {
    const found: OpenLine[] = [];
    for (let from = 0; from < ids.length; from += LINES_AT_ONCE) {
      const variables = { ids: ids.slice(from, from + LINES_AT_ONCE) };
      for (const line of (await graphql(shop, LINES_QUERY, variables, linesAnswer)).nodes)
        if (line)
          found.push({
            ...ELSEWHERE,
            lineItemId: gid("LineItem", line.id),
            remaining: line.unfulfilledQuantity,
            fulfilled: line.refundableQuantity - line.unfulfilledQuantity,
          });
    }
    return found;
  };
  return {
    async addTag(shop, id, tag) {
      const variables = { id, tags: [tag] };
      accept((await graphql(shop, ADD_TAG_MUTATION, variables, addTagAnswer)).tagsAdd);
    },
    async openLines(shop, id, lineItemIds) {
      const found: Awaited<ReturnType<typeof linesOf>> = [];
      let after: string | null = null;
      do {
        const variables = { id, after };
        const answer: OpenLinesAnswer = await graphql(
          shop,
          OPEN_LINES_QUERY,
          variables,
          openLinesAnswer,
        );
        // It was deleted, or is too old to be shown: nothing of it can be fulfilled by the app.
        if (!answer.order) throw new StoreError("store_refused");
        const places = answer.order.fulfillmentOrders;
        for (const place of places.nodes)
          found.push(...(await linesOf(shop, place.id, place.lineItems)));
        after = nextPage(places.pageInfo, [after]);
      } while (after !== null);
      const shown = Map.groupBy(found, ({ open }) => open.lineItemId);
      return [
        ...found.map(({ open }) => open),
        ...[...shown.values()].flatMap(restOf),
        ...(await linesElsewhere(
          shop,
          lineItemIds.filter((lineItemId) => !shown.has(lineItemId)),
        )),
      ];
    },
    async fulfil(shop, units) {
      // One at a time: a fulfilment leaves from one location. What was done before a refusal is not open any more.
      const places = Map.groupBy(units, ({ line }) => line.fulfillmentOrderId);
      let isAnyRefused = places.delete(null);
      let isAnyUnclear = false;
      for (const [fulfillmentOrderId, own] of places) {
        const fulfillmentOrderLineItems = own.map(({ line, quantity }) => ({
          id: line.fulfillmentOrderLineId,
          quantity,
        }));
        const fulfillment = {
          notifyCustomer: false,
          lineItemsByFulfillmentOrder: [{ fulfillmentOrderId, fulfillmentOrderLineItems }],
        };
        const variables = { fulfillment };
        const answer = await graphql(shop, FULFIL_MUTATION, variables, fulfilAnswer, {
          once: true,
        }).catch(nullWhenUnclear);
        isAnyUnclear ||= answer === null;
        // A place on hold keeps no other back.
        isAnyRefused ||= answer !== null && isRefused(answer.fulfillmentCreate);
      }
      if (isAnyUnclear) return "unclear";
      if (isAnyRefused) throw new StoreError("store_refused");
      return "done";
    },
    async startFlow(shop, { milestone, orderId, requestId }) {
      const variables = {
        handle: FLOW_HANDLES[milestone],
        // The order as Flow's reference field wants it: its number.
        payload: { order_id: Number(gidNumber(orderId)), "Request id": requestId ?? "" },
      };
      const answer = await graphql(shop, START_FLOW_MUTATION, variables, startFlowAnswer, {
        once: true,
      });
      accept(answer.flowTriggerReceive);
    },
    async startOutageFlow(shop, { environment, since, isOver }) {
      const payload = {
        State: isOver ? "ended" : "began",
        Environment: environment,
        Since: since,
      };
      const variables = { handle: OUTAGE_HANDLE, payload };
      const answer = await graphql(shop, START_FLOW_MUTATION, variables, startFlowAnswer, {
        once: true,
      });
      accept(answer.flowTriggerReceive);
    },
  };
}

const LINES_AT_ONCE = 100;
const ELSEWHERE = { fulfillmentOrderId: null, fulfillmentOrderLineId: "" } as const;

/** The units of a line that are open, and at none of the places where some of it is shown. */
function restOf([first, ...others]: { unfulfilled: number; open: OpenLine }[]): OpenLine[] {
  if (!first) return [];
  const shown = [first, ...others].reduce((sum, { open }) => sum + open.remaining, 0);
  const remaining = first.unfulfilled - shown;
  return remaining > 0 ? [{ ...first.open, ...ELSEWHERE, remaining }] : [];
}

function nullWhenUnclear(error: unknown): null {
  if (error instanceof StoreError && error.code === "store_unclear") return null;
  throw error;
}

/** An explicit refusal by Shopify is tried again later, like any other refusal of the store. */
function accept(answer: Refusal): void {
  if (isRefused(answer)) throw new StoreError("store_refused");
}

const isRefused = (answer: Refusal) => !answer || answer.userErrors.length > 0;
