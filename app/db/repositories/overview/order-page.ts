import { z } from "zod";
import { gid } from "../../../domain/ids.ts";
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
import { hasRequestIn, REASON_OF_R, STAGE_OF_R } from "./stage-sql.ts";

const orderRows = z.array(
  z.object({
    orderId: z.string().transform((value) => gid("Order", value)),
    name: z.string(),
    paidAt: z.date(),
    /** As PostgreSQL has it, to the microsecond: a JavaScript date would skip rows at the edge of a page. */
    paidAtText: z.string(),
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
      SELECT o.order_id AS "orderId", o.name, o.paid_at AS "paidAt", o.paid_at::text AS "paidAtText",
             o.test, o.cancelled_at AS "cancelledAt", o.attention
      FROM orders o
      WHERE o.shop = ${shop} AND ${startsAt(query.start)} AND ${matches(query.filter)}
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
      SELECT r.order_id AS "orderId", ${STAGE_OF_R} AS stage, ${REASON_OF_R} AS reason,
             count(*)::int AS count
      FROM referral_requests r WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(ids)})
      GROUP BY 1, 2, 3`,
  );
  return orders.map(({ paidAtText: _, ...order }) => {
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
  if (!start) return Prisma.sql`TRUE`;
  const { paidAt, orderId } = readCursor("before" in start ? start.before : start.after);
  return "before" in start
    ? Prisma.sql`(o.paid_at, o.order_id) > (${paidAt}::timestamptz, ${orderId})`
    : Prisma.sql`(o.paid_at, o.order_id) < (${paidAt}::timestamptz, ${orderId})`;
}

function matches(filter: OrderFilter): Prisma.Sql {
  switch (filter) {
    case "all":
      return Prisma.sql`TRUE`;
    case "attention":
      return Prisma.sql`(o.attention IS NOT NULL OR ${hasRequestIn(filter)})`;
    default:
      return hasRequestIn(filter);
  }
}

function isNamed(search: string): Prisma.Sql {
  if (!search) return Prisma.sql`TRUE`;
  const beginning = search.replace(/[\\%_]/g, "\\$&");
  return Prisma.sql`(o.name LIKE ${`${beginning}%`} OR o.name LIKE ${`#${beginning}%`})`;
}

const cursorSchema = z.tuple([z.string(), z.string()]);

const cursorOf = ({ paidAtText, orderId }: OrderRow) =>
  Buffer.from(JSON.stringify([paidAtText, orderId])).toString("base64url");

/** Reads a cursor; one that is not ours begins at the newest order. */
function readCursor(cursor: string): { paidAt: string; orderId: string } {
  try {
    const text = Buffer.from(cursor, "base64url").toString("utf8");
    const [paidAt, orderId] = cursorSchema.parse(JSON.parse(text));
    if (!Number.isNaN(Date.parse(paidAt))) return { paidAt, orderId };
  } catch {
    // Falls through: an old or mistyped address is no reason for an error page.
  }
  return { paidAt: "infinity", orderId: "" };
}
