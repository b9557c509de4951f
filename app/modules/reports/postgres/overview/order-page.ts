import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { normalised } from "../../../../platform/normalised.ts";
import { gid } from "../../../kernel/ids.ts";
import { openBuyers } from "../../../orders/postgres/buyers.ts";
import { STAGES } from "../../../referrals/stage.ts";
import { TODAY, toAttentionReason } from "../../attention-item.ts";
import { ORDER_MODES, type OrderQuery } from "../../order-selection.ts";
import { type OrderPage, type OrderSummary, toCustomer } from "../../order-summary.ts";
import { cursorOf, isBackwards, searchEdge } from "./cursor.ts";
import { foundOrders, ordersByReference } from "./order-search.ts";
import { IS_ERASED, IS_NOT_OVER, selectedOrders } from "./order-selection.ts";
import { ordersByWords, rarestWords } from "./order-words.ts";

const orderRows = z.array(
  z.object({
    orderId: z.string().transform((value) => gid("Order", value)),
    name: z.string(),
    searchKey: z.string(),
    paidAt: z.date(),
    /** Microseconds since 1970: a JavaScript date would skip rows at the edge of a page. */
    paidAtMicros: z.string(),
    test: z.boolean(),
    orderMode: z.enum(ORDER_MODES),
    cancelledAt: z.date().nullable(),
    reasonCode: z.string().nullable(),
    redactedAt: z.date().nullable(),
    buyerSealed: z.instanceof(Uint8Array).nullable(),
    titles: z.array(z.string()),
    tests: z.array(z.string()),
  }),
);
type OrderRow = z.infer<typeof orderRows>[number];

const requestRows = z.array(
  z.object({
    orderId: z.string(),
    stage: z.enum(STAGES),
    isErased: z.boolean(),
    reasonCode: z.string().nullable(),
    reasonDetail: z.string().nullable(),
    units: z.array(z.string()),
  }),
);
type RequestRow = z.infer<typeof requestRows>[number];

/** One page of orders by keyset, so that a deep page costs what the first one does. */
export async function readOrderPage(scope: Scope, typed: OrderQuery): Promise<OrderPage> {
  const query = { ...typed, search: plainly(typed.search) };
  const isBack = isBackwards(query.start);
  let rows: OrderRow[] = [];
  let isByNumber = false;
  for await (const list of listsOf(scope, query)) {
    ({ isByNumber } = list);
    rows = await readRows(scope, list.chosen);
    if (rows.length > 0) break;
  }
  const hasMore = rows.length > query.size;
  const page = rows.slice(0, query.size);
  if (isBack) page.reverse();
  const first = page[0];
  const last = page.at(-1);
  const cursor = (row: OrderRow) => cursorOf(row, isByNumber);
  return {
    orders: await withRequests(scope, page),
    previous: first && (isBack ? hasMore : query.start !== null) ? cursor(first) : null,
    next: last && (isBack || hasMore) ? cursor(last) : null,
  };
}

/** Numbers and references as they are stored: an East Asian keyboard writes them full-width. */
const plainly = (search: string): string => normalised(search, "NFKC").trim().replace(/^#/, "");

interface List {
  chosen: Prisma.Sql;
  isByNumber: boolean;
}

/**
 * The lists that a selection can mean, likeliest first; the first that has anything is meant. What begins with a digit is a
 * number, unless no order has it. A later page goes on with the list in which the page before ended.
 */
async function* listsOf(scope: Scope, query: OrderQuery): AsyncGenerator<List> {
  const { shop } = scope;
  const { search, start } = query;
  if (!search) {
    yield { chosen: selectedOrders(shop, query), isByNumber: false };
    return;
  }
  const byNumber = { chosen: foundOrders(shop, query), isByNumber: true };
  if (searchEdge(start)) {
    yield byNumber;
    return;
  }
  if (!start) {
    const exact = await ordersByReference(scope, search);
    if (exact.length > 0)
      yield {
        chosen: Prisma.sql`SELECT shop, order_id, row_number() OVER () AS place FROM orders
          WHERE shop = ${shop} AND order_id IN (${Prisma.join(exact)})`,
        isByNumber: true,
      };
    if (/^\d/.test(search)) yield byNumber;
  }
  const words = await rarestWords(scope, search);
  if (words) yield { chosen: ordersByWords(shop, words, query), isByNumber: false };
  if (!start && !/^\d|\s|@/.test(search)) yield byNumber;
}

async function readRows({ tx, shop }: Scope, chosen: Prisma.Sql): Promise<OrderRow[]> {
  return orderRows.parse(
    await tx.$queryRaw`
      SELECT o.order_id AS "orderId", o.name, o.search_key AS "searchKey", o.paid_at AS "paidAt",
             (extract(epoch FROM o.paid_at) * 1000000)::bigint::text AS "paidAtMicros",
             o.test, o.order_mode AS "orderMode", o.cancelled_at AS "cancelledAt", o.reason_code AS "reasonCode",
             o.redacted_at AS "redactedAt", o.buyer_sealed AS "buyerSealed",
             ARRAY(SELECT l.title FROM order_lines l WHERE l.shop = ${shop} AND l.order_id = o.order_id
                   ORDER BY l.mapping_state = 'ignored', l.line_item_id) AS titles,
             ARRAY(SELECT l.title FROM order_lines l WHERE l.shop = ${shop} AND l.order_id = o.order_id
                   AND l.mapping_state = 'mapped' ORDER BY l.line_item_id) AS tests
      FROM (${chosen}) chosen
      JOIN orders o ON o.shop = ${shop} AND o.order_id = chosen.order_id
      ORDER BY chosen.place`,
  );
}

const reasonOf = (row: { reasonCode: string | null; reasonDetail: string | null } | undefined) =>
  toAttentionReason(row?.reasonCode ?? null, row?.reasonDetail ?? null);

async function withRequests(scope: Scope, orders: OrderRow[]): Promise<OrderSummary[]> {
  const { tx, shop } = scope;
  if (orders.length === 0) return [];
  const buyers = await openBuyers(scope, orders);
  const ids = orders.map((order) => order.orderId);
  const requests = requestRows.parse(
    await tx.$queryRaw`
      SELECT order_id AS "orderId", stage, reason_code AS "reasonCode", reason_detail AS "reasonDetail",
             ${IS_ERASED} AS "isErased",
             array_agg(line_item_id || ' ' || unit) AS units
      FROM referral_requests
      WHERE shop = ${shop} AND order_id IN (${Prisma.join(ids)}) AND ${IS_NOT_OVER}
      GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4`,
  );
  return orders.map((row) => {
    const { paidAtMicros: _, searchKey: __, buyerSealed, reasonCode, ...rest } = row;
    const { redactedAt, titles, tests: testTitles, ...order } = rest;
    const own = requests.filter((row) => row.orderId === order.orderId);
    const countOf = (isMeant: (row: RequestRow) => boolean) =>
      new Set(own.flatMap((row) => (isMeant(row) ? row.units : []))).size;
    const stages = STAGES.flatMap((stage) => {
      const count = countOf((row) => row.stage === stage && !row.isErased);
      return count > 0 ? [{ stage, count }] : [];
    });
    const needy = own.filter((row) => row.reasonCode !== null);
    const urgent = needy.find((row) => TODAY.includes(row.reasonCode ?? ""));
    const attention = reasonOf(urgent) ?? toAttentionReason(reasonCode, null) ?? reasonOf(needy[0]);
    const products = [...new Set(testTitles.length > 0 ? testTitles : titles)];
    const buyer = buyers.get(order.orderId);
    const isErased = redactedAt !== null || (buyerSealed !== null && !buyer);
    return {
      ...{ ...order, attention, stages, products, isErased, customer: toCustomer(buyer) },
      erased: countOf((row) => row.isErased),
      tests: countOf(({ stage }) => stage !== "cancelled"),
    };
  });
}
