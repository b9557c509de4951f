import { Prisma } from "../../../../generated/prisma/client.ts";
import { TIME_ZONE } from "../../../../platform/calendar-day.ts";
import type { ShopDomain } from "../../../kernel/ids.ts";
import type { Stage } from "../../../referrals/stage.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { isBackwards, paymentEdge } from "./cursor.ts";

/** Whether a walk by payment goes from old to new: back from a page of the newest first, or on in a list of the oldest. */
export const isAscending = ({ start, sort }: Pick<OrderQuery, "start" | "sort">): boolean =>
  isBackwards(start) !== (sort === "oldest");

/**
 * The orders of a page as (order_id, place). Whatever is selected is one range of one index of orders or requests
 * (requests carry their order's moment of payment), or two such ranges merged; nothing is skipped over. The orders' indexes
 * end with the moment: those of one moment are put in order when they are read.
 */
export function selectedOrders(shop: ShopDomain, query: OrderQuery): Prisma.Sql {
  const direction = isAscending(query) ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const limit = query.size + 1;
  const walk = (source: Prisma.Sql) => Prisma.sql`
    SELECT order_id, row_number() OVER (ORDER BY paid_at ${direction}, order_id ${direction}) AS place
    FROM (${source}) walked`;
  const orders = Prisma.sql`
    SELECT paid_at, order_id FROM orders
    WHERE shop = ${shop} AND ${within(shop, query, Prisma.sql`paid_at`)}`;
  const end = Prisma.sql`ORDER BY paid_at ${direction}, order_id ${direction} LIMIT ${limit}`;
  switch (query.filter) {
    case "all":
      return walk(Prisma.sql`${orders} ${end}`);
    case "attention":
      return walk(Prisma.sql`
        (${orders} AND ${ofReason(query)} ${end})
        UNION (${staged(shop, query.filter, query)} AND ${query.reason ? ofReason(query) : Prisma.sql`TRUE`} ${staggered(direction, limit)}) ${end}`);
    default:
      return walk(Prisma.sql`${staged(shop, query.filter, query)} ${staggered(direction, limit)}`);
  }
}

/** Orders with a reason of their own, or with one kind of reason; of requests that is a range of an index of its own. */
const ofReason = ({ reason }: OrderQuery) =>
  reason ? Prisma.sql`reason_code = ${reason}` : Prisma.sql`reason_code IS NOT NULL`;

const staggered = (direction: Prisma.Sql, limit: number) =>
  Prisma.sql`ORDER BY order_paid_at ${direction}, order_id ${direction} LIMIT ${limit}`;

/** Nothing is cancelled of a request that was ordered again as a whole: its replacement tells where the test stands. */
export const IS_NOT_OVER = Prisma.sql`(stage <> 'cancelled' OR replaced_by IS NULL)`;

/** The data of a request was destroyed after its referral was made, and it needs nobody: it says no more how far the test is. */
export const IS_ERASED = Prisma.sql`(state = 'created' AND redacted_at IS NOT NULL AND stage IN ('in_progress', 'results_ready'))`;

/**
 * Further conditions of the requests that a stage lists. Erased ones are passed over: those in progress are few, and those with results are
 * the oldest, behind which a list seldom goes. An index of those that are here would cost each order 117 bytes. Without it a count that passes
 * over 100,000 takes 0.3 s.
 */
const IS_LISTED: Partial<Record<Stage, Prisma.Sql>> = {
  cancelled: Prisma.sql`replaced_by IS NULL`,
  in_progress: Prisma.sql`NOT ${IS_ERASED}`,
  results_ready: Prisma.sql`redacted_at IS NULL`,
};

const staged = (shop: ShopDomain, stage: Stage, query: OrderQuery) => Prisma.sql`
  SELECT DISTINCT order_paid_at AS paid_at, order_id FROM referral_requests
  WHERE shop = ${shop} AND stage = ${stage} AND ${IS_LISTED[stage] ?? Prisma.sql`TRUE`}
    AND ${within(shop, query, Prisma.sql`order_paid_at`)}`;

/** The conditions that every list shares. Each of them bounds the walk, or begins it. */
export function within(shop: ShopDomain, query: OrderQuery, paidAt: Prisma.Sql): Prisma.Sql {
  return Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...(query.orderMode ? [Prisma.sql`order_mode = ${query.orderMode}`] : []),
      ...ends(shop, query, paidAt),
    ],
    " AND ",
  );
}

/**
 * The span of days, and where the page before ended. One condition for each end of the walk: of two, PostgreSQL may
 * begin at the farther one and pass everything up to the nearer.
 */
function ends(shop: ShopDomain, query: OrderQuery, paidAt: Prisma.Sql): Prisma.Sql[] {
  const { paidFrom, paidUntil, start } = query;
  const zone = Prisma.sql`(SELECT coalesce(time_zone, ${TIME_ZONE}) FROM shops WHERE shop = ${shop})`;
  const from = Prisma.sql`${paidFrom}::date::timestamp AT TIME ZONE ${zone}`;
  const until = Prisma.sql`(${paidUntil}::date + 1)::timestamp AT TIME ZONE ${zone}`;
  const edge = paymentEdge(start);
  if (!edge)
    return [
      ...(paidFrom ? [Prisma.sql`${paidAt} >= ${from}`] : []),
      ...(paidUntil ? [Prisma.sql`${paidAt} < ${until}`] : []),
    ];
  const { moment, orderId } = edge;
  // An end that is not asked for is NULL, which is never the nearer one.
  if (isAscending(query))
    return [
      Prisma.sql`(${paidAt}, order_id) >
        (GREATEST(${moment}, ${from}), CASE WHEN ${from} > ${moment} THEN '' ELSE ${orderId} END)`,
      ...(paidUntil ? [Prisma.sql`${paidAt} < ${until}`] : []),
    ];
  return [
    Prisma.sql`(${paidAt}, order_id) <
      (LEAST(${moment}, ${until}), CASE WHEN ${until} <= ${moment} THEN '' ELSE ${orderId} END)`,
    ...(paidFrom ? [Prisma.sql`${paidAt} >= ${from}`] : []),
  ];
}

/** Orders with something in each stage, counted to a limit: the newest ones, so that the walk is short. */
export function stageCount(shop: ShopDomain, stage: Stage, limit: number): Prisma.Sql {
  const query: OrderQuery = {
    filter: stage,
    orderMode: null,
    paidFrom: null,
    paidUntil: null,
    sort: "newest",
    search: "",
    start: null,
    size: limit,
  };
  return Prisma.sql`
    SELECT ${stage} AS stage, count(*)::int AS count FROM (${selectedOrders(shop, query)}) counted`;
}
