import { gid } from "../../modules/kernel/ids.ts";
import type { ListedOrder, StoreOrderList } from "../../modules/orders/listed-order.ts";
import { storableTime } from "../../platform/storable.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { nextPage } from "./next-page.ts";
import {
  type ListedOrderAnswer,
  ORDER_BY_ID_QUERY,
  ORDER_LIST_QUERY,
  orderByIdAnswerSchema,
  orderListAnswerSchema,
} from "./operations/order-list.ts";
import { bare, isPaid, isPaidInPart } from "./store-orders.ts";

/** Ids are longer than any shop's order numbers. */
const MIN_DIGITS_OF_AN_ID = 10;

/** The store's list of orders, read through the Admin API at the pace that it allows. */
export function createStoreOrderList(graphql: AdminGraphql): StoreOrderList {
  return {
    async page(shop, { since, until, after }) {
      const query = `updated_at:>='${since.toISOString()}' AND updated_at:<='${until.toISOString()}'`;
      let restMs = 0;
      const { orders } = await graphql(
        shop,
        ORDER_LIST_QUERY,
        { query, after },
        orderListAnswerSchema,
        {
          onCost: (cost) => {
            restMs = cost.restMs;
          },
        },
      );
      return {
        orders: orders.nodes.map(toListed),
        next: nextPage(orders.pageInfo, [after]),
        restMs,
      };
    },
    async find(shop, numberOrId) {
      const typed = numberOrId.trim();
      const number = typed.replace(/^#/, "");
      const isNumber = /^\d+$/.test(typed) && typed.length >= MIN_DIGITS_OF_AN_ID;
      if (isNumber || /^gid:\/\/shopify\/Order\/\d+$/.test(typed)) {
        const variables = { id: gid("Order", typed) };
        const { order } = await graphql(shop, ORDER_BY_ID_QUERY, variables, orderByIdAnswerSchema);
        return order && toListed(order);
      }
      const variables = { query: `name:'${number.replace(/['\\]/g, "")}'`, after: null };
      const { orders } = await graphql(shop, ORDER_LIST_QUERY, variables, orderListAnswerSchema);
      // The search also finds names that only begin like it. People write them in any case, with "#" or without.
      const alike = orders.nodes.filter(({ name }) => bare(name) === bare(typed));
      const exact = alike.find(({ name }) => [typed, `#${number}`].includes(name));
      const found = exact ?? (alike.length === 1 ? alike[0] : undefined);
      return found ? toListed(found) : null;
    },
  };
}

function toListed(order: ListedOrderAnswer): ListedOrder {
  return {
    id: gid("Order", order.id),
    name: order.name,
    paid: isPaid(order) || isPaidInPart(order.displayFinancialStatus),
    updatedAt: storableTime(order.updatedAt),
  };
}
