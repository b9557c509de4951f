import { z } from "zod";
import { gid, gidNumber, type OrderId, type ShopDomain } from "../../../domain/ids.ts";
import type {
  OrderFilter,
  OrderPage,
  OrderQuery,
  OrderSummary,
  PageStart,
} from "../../../domain/overview/overview-repository.ts";
import { STAGES } from "../../../domain/overview/stage.ts";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../scope.ts";
import { attentionRequests, FACTS_OF_FEW, REASON, STAGE } from "./stage-sql.ts";

const orderRows = z.array(
  z.object({
    orderId: z.string().transform((value) => gid("Order", value)),
    name: z.string(),
    paidAt: z.date(),
    /** Microseconds since 1970: a JavaScript date would skip rows at the edge of a page. */
    paidAtMicros: z.string(),
    test: z.boolean(),
    cancelledAt: z.date().nullable(),
    attention: z.string().nullable(),
  }),
);
type OrderRow = z.infer<typeof orderRows>[number];

const requestRows = z.array(
  z.object({
    orderId: z.string(),
    stage: z.enum(STAGES),
    reason: z.string().nullable(),
    count: z.number(),
  }),
);

/** One page of orders by keyset on (paid_at, order_id), so that a deep page costs what the first one does. */
export async function readOrderPage({ tx, shop }: Scope, query: OrderQuery): Promise<OrderPage> {
  const isBackwards = query.start !== null && "before" in query.start;
  const direction = isBackwards ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const rows = orderRows.parse(
    await tx.$queryRaw`
      SELECT o.order_id AS "orderId", o.name, o.paid_at AS "paidAt",
             (extract(epoch FROM o.paid_at) * 1000000)::bigint::text AS "paidAtMicros",
             o.test, o.cancelled_at AS "cancelledAt", o.attention
      FROM orders o
      WHERE o.shop = ${shop} AND ${startsAt(query.start)} AND ${matches(shop, query.filter)}
        AND ${isNamed(query.search)}
      ORDER BY o.paid_at ${direction}, o.order_id ${direction}
      LIMIT ${query.size + 1}`,
  );
  const hasMore = rows.length > query.size;
  const page = rows.slice(0, query.size);
  if (isBackwards) page.reverse();
  const first = page[0];
  const last = page.at(-1);
  return {
    orders: await withRequests({ tx, shop }, page),
    previous: first && (isBackwards ? hasMore : query.start !== null) ? cursorOf(first) : null,
    next: last && (isBackwards || hasMore) ? cursorOf(last) : null,
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
      SELECT r.order_id AS "orderId", ${STAGE} AS stage, ${REASON} AS reason,
             count(*)::int AS count
      FROM referral_requests r ${FACTS_OF_FEW}
      WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(ids)})
      GROUP BY 1, 2, 3`,
  );
  return orders.map(({ paidAtMicros: _, ...order }) => {
    const own = requests.filter((row) => row.orderId === order.orderId);
    const stages = STAGES.flatMap((stage) => {
      const count = own.reduce((sum, row) => (row.stage === stage ? sum + row.count : sum), 0);
      return count > 0 ? [{ stage, count }] : [];
    });
    const reason = own.find((row) => row.reason !== null)?.reason ?? null;
    return { ...order, attention: order.attention ?? reason, stages };
  });
}

function startsAt(start: PageStart): Prisma.Sql {
  const edge = start && readCursor("before" in start ? start.before : start.after);
  if (!edge) return Prisma.sql`TRUE`;
  const moment = Prisma.sql`'epoch'::timestamptz + ${edge.paidAtMicros}::bigint * interval '1 microsecond'`;
  return start && "before" in start
    ? Prisma.sql`(o.paid_at, o.order_id) > (${moment}, ${edge.orderId})`
    : Prisma.sql`(o.paid_at, o.order_id) < (${moment}, ${edge.orderId})`;
}

function matches(shop: ShopDomain, filter: OrderFilter): Prisma.Sql {
  switch (filter) {
    case "all":
      return Prisma.sql`TRUE`;
    // Rare, so found from its own side: walking the orders until enough need somebody could take them all.
    case "attention":
      return Prisma.sql`(o.attention IS NOT NULL OR o.order_id IN (
        SELECT order_id FROM (${attentionRequests(shop)}) needy))`;
    case "awaiting_details":
      return Prisma.sql`EXISTS (
        SELECT 1 FROM referral_requests r WHERE r.shop = o.shop AND r.order_id = o.order_id
          AND r.state = 'awaiting_details' AND r.attention IS NULL)`;
    default:
      return Prisma.sql`EXISTS (
        SELECT 1 FROM referral_requests r ${FACTS_OF_FEW}
        WHERE r.shop = o.shop AND r.order_id = o.order_id AND ${STAGE} = ${filter})`;
  }
}

function isNamed(search: string): Prisma.Sql {
  if (!search) return Prisma.sql`TRUE`;
  const beginning = search.replace(/[\\%_]/g, "\\$&");
  return Prisma.sql`(o.name LIKE ${`${beginning}%`} OR o.name LIKE ${`#${beginning}%`})`;
}

const cursorOf = ({ paidAtMicros, orderId }: OrderRow) => `${paidAtMicros}-${gidNumber(orderId)}`;

/** Reads a cursor. Null when it is not one of ours: an old or mistyped address begins at the newest order. */
function readCursor(cursor: string): { paidAtMicros: string; orderId: OrderId } | null {
  const [, paidAtMicros, number] = /^(\d{1,16})-(\d{1,20})$/.exec(cursor) ?? [];
  return paidAtMicros && number ? { paidAtMicros, orderId: gid("Order", number) } : null;
}
