import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { gid } from "../../../kernel/ids.ts";
import { STAGES } from "../../../referrals/stage.ts";
import { toAttentionReason } from "../../attention-item.ts";
import { ORDER_MODES, type OrderQuery } from "../../order-selection.ts";
import type { OrderPage, OrderSummary } from "../../order-summary.ts";
import { cursorOf } from "./cursor.ts";
import { foundOrders, ordersByReference } from "./order-search.ts";
import { selectedOrders } from "./order-selection.ts";

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
  }),
);
type OrderRow = z.infer<typeof orderRows>[number];

const requestRows = z.array(
  z.object({
    orderId: z.string(),
    stage: z.enum(STAGES),
    reasonCode: z.string().nullable(),
    reasonDetail: z.string().nullable(),
    count: z.number(),
  }),
);

/** One page of orders by keyset, so that a deep page costs what the first one does. */
export async function readOrderPage(scope: Scope, query: OrderQuery): Promise<OrderPage> {
  const { tx, shop } = scope;
  const isBackwards = query.start !== null && "before" in query.start;
  const exact = query.search && !query.start ? await ordersByReference(scope, query.search) : [];
  const chosen =
    exact.length > 0
      ? Prisma.sql`SELECT shop, order_id, row_number() OVER () AS place FROM orders
          WHERE shop = ${shop} AND order_id IN (${Prisma.join(exact)})`
      : query.search
        ? foundOrders(shop, query)
        : selectedOrders(shop, query);
  const rows = orderRows.parse(
    await tx.$queryRaw`
      SELECT o.order_id AS "orderId", o.name, o.search_key AS "searchKey", o.paid_at AS "paidAt",
             (extract(epoch FROM o.paid_at) * 1000000)::bigint::text AS "paidAtMicros",
             o.test, o.order_mode AS "orderMode", o.cancelled_at AS "cancelledAt", o.reason_code AS "reasonCode"
      FROM (${chosen}) chosen
      JOIN orders o ON o.shop = ${shop} AND o.order_id = chosen.order_id
      ORDER BY chosen.place`,
  );
  const hasMore = rows.length > query.size;
  const page = rows.slice(0, query.size);
  if (isBackwards) page.reverse();
  const first = page[0];
  const last = page.at(-1);
  const cursor = (row: OrderRow) => cursorOf(row, query.search !== "");
  return {
    orders: await withRequests(scope, page),
    previous: first && (isBackwards ? hasMore : query.start !== null) ? cursor(first) : null,
    next: last && (isBackwards || hasMore) ? cursor(last) : null,
  };
}

async function withRequests(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  orders: OrderRow[],
): Promise<OrderSummary[]> {
  if (orders.length === 0) return [];
  const ids = orders.map((order) => order.orderId);
  const requests = requestRows.parse(
    await tx.$queryRaw`
      SELECT order_id AS "orderId", stage, reason_code AS "reasonCode", reason_detail AS "reasonDetail",
             count(*)::int AS count
      FROM referral_requests
      WHERE shop = ${shop} AND order_id IN (${Prisma.join(ids)}) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
  return orders.map(({ paidAtMicros: _, searchKey: __, reasonCode, ...order }) => {
    const own = requests.filter((row) => row.orderId === order.orderId);
    const stages = STAGES.flatMap((stage) => {
      const count = own.reduce((sum, row) => (row.stage === stage ? sum + row.count : sum), 0);
      return count > 0 ? [{ stage, count }] : [];
    });
    const needy = own.find((row) => row.reasonCode !== null);
    const attention =
      toAttentionReason(reasonCode, null) ??
      toAttentionReason(needy?.reasonCode ?? null, needy?.reasonDetail ?? null);
    return { ...order, attention, stages };
  });
}
