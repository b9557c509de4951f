/** Long because each statement about orders and their lines stands here. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { heldRequests } from "../../../platform/database/held-rows.ts";
import { assignments, rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { gid, type OrderId, type ProductId, type VariantId } from "../../kernel/ids.ts";
import type { SoldVariant } from "../../referrals/order-facts.ts";
import { isStale, type OrderRepository } from "../order.ts";
import { isNotTold, type OrderReason } from "../order-reason.ts";
import { searchWords } from "../search-words.ts";
import { buyerField, openBuyers } from "./buyers.ts";
import { indexSome } from "./index-some.ts";
import { readIgnoredUnits, writeLines } from "./order-lines.ts";
import { lockOrder } from "./order-lock.ts";
import { writeWords } from "./order-words.ts";

type OrderRow = NonNullable<Awaited<ReturnType<Scope["tx"]["order"]["findUnique"]>>>;
type LineRow = NonNullable<Awaited<ReturnType<Scope["tx"]["orderLine"]["findUnique"]>>>;

const readNames = rowsOf<Pick<OrderRow, "orderId" | "name">>("orders", ["orderId", "name"]);
const readBuyers = rowsOf<Pick<OrderRow, "orderId" | "buyerSealed">>("orders", [
  "orderId",
  "buyerSealed",
]);
/** Everything that readings left, but for who bought. */
const readReadings = rowsOf<Omit<OrderRow, "buyerSealed">>(
  "orders",
  Object.values(Prisma.OrderScalarFieldEnum).filter((field) => field !== "buyerSealed"),
);
const readLines = rowsOf<Pick<LineRow, "lineItemId" | "variantId" | "productId">>("order_lines", [
  "lineItemId",
  "variantId",
  "productId",
]);

const readUnits = rowsOf<Pick<LineRow, "lineItemId" | "currentQuantity">>("order_lines", [
  "lineItemId",
  "currentQuantity",
]);

const ATTENTION = [
  "standingCodes",
  "handledCodes",
  "reviewCode",
  "handledCode",
  "reasonCode",
] as const satisfies (keyof OrderRow)[];
type Attention = Pick<OrderRow, (typeof ATTENTION)[number]>;

/** Every reason that stands. An earlier version wrote the one that it showed. */
const standingOf = ({
  standingCodes,
  reviewCode,
}: Pick<Attention, "standingCodes" | "reviewCode">) =>
  (reviewCode === null || standingCodes.includes(reviewCode)
    ? standingCodes
    : [reviewCode]) as OrderReason[];

/** Those that somebody has dealt with. */
const handledOf = ({
  handledCodes,
  handledCode,
}: Pick<Attention, "handledCodes" | "handledCode">) =>
  [...new Set([...handledCodes, ...(handledCode === null ? [] : [handledCode])])] as OrderReason[];

/** The row's words for these reasons: the first that nobody has dealt with is shown, else `last` as dealt with. */
function attentionOf(
  reasons: readonly OrderReason[],
  handled: readonly OrderReason[],
  last: string | null,
): Attention {
  const handledCodes = reasons.filter((code) => handled.includes(code));
  const reasonCode = reasons.find((code) => !handled.includes(code)) ?? null;
  const done = handledCodes.find((code) => code === last) ?? handledCodes[0] ?? null;
  return {
    standingCodes: [...reasons],
    handledCodes,
    reviewCode: reasonCode ?? done,
    handledCode: reasonCode === null ? done : null,
    reasonCode,
  };
}

export function orderRepository(scope: Scope): OrderRepository {
  const { tx, shop, keys } = scope;
  const isOrder = (orderId: OrderId) => Prisma.sql`shop = ${shop} AND order_id = ${orderId}`;
  /** The mode of an order that has none of its own: where the shop orders now. */
  const orWhereShopOrders = (mode: string | null) =>
    Prisma.sql`coalesce(${mode}, (SELECT environment FROM shops WHERE shop = ${shop}), 'staging')`;
  /** Lines that sold a variant or product, or are parts of a bundle which it is, and wait for a meaning. */
  const isWaitingFor = (sold: VariantId | ProductId) => Prisma.sql`
    shop = ${shop} AND mapping_state = 'unmapped' AND (variant_id = ${sold} OR product_id = ${sold}
      OR bundle_variant_id = ${sold} OR bundle_product_id = ${sold})`;
  /** Lines `l` of orders `o` of the same that were taken for no test since a moment; an earlier version wrote no such moment. */
  const isIgnoredSince = (sold: VariantId | ProductId, since: Date) => Prisma.sql`
    l.shop = ${shop} AND (l.mapping_state = 'ignored' OR l.ignored_units > 0) AND (l.variant_id = ${sold} OR l.product_id = ${sold}
      OR l.bundle_variant_id = ${sold} OR l.bundle_product_id = ${sold}) AND coalesce(l.ignored_at, o.read_at) >= ${since}`;
  const writeAttention = async (
    before: Attention & Pick<OrderRow, "orderId">,
    reasons: OrderReason[],
    anew: readonly OrderReason[],
  ): Promise<boolean> => {
    const known = handledOf(before).filter((code) => !anew.includes(code));
    const next = attentionOf(reasons, known, before.handledCode);
    if (ATTENTION.some((field) => !isDeepStrictEqual(before[field], next[field])))
      await unanswered(
        tx,
        Prisma.sql`UPDATE orders SET ${assignments(next)} WHERE shop = ${shop} AND order_id = ${before.orderId}`,
      );
    return next.reasonCode !== null && next.reasonCode !== before.reasonCode;
  };
  return {
    lock: (orderId) => lockOrder({ tx, shop }, orderId),
    async beginReading() {
      const [row] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
      if (!row) throw new Error("The database did not tell the time");
      return row.now;
    },
    async record(order, states, at, wanted = {}) {
      const { id: orderId, name, customerId, buyer, test, cancelledAt, processedAt } = order;
      const reachable = customerId !== null || buyer.email !== null;
      await lockOrder({ tx, shop }, orderId);
      const [stored] = await readReadings(tx, isOrder(orderId));
      if (stored?.redactedAt) return "redacted";
      if (stored && isStale(order, at, stored)) return "stale";
      const orderMode = test ? "test" : stored && !stored.test ? stored.orderMode : null;
      const sealer = await keys.sealer({ order: orderId });
      const buyerSealed = sealer.sealJson(buyerField(orderId), buyer);
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO orders (shop, order_id, name, customer_id, buyer_sealed, reachable, test, cancelled_at, paid_at,
                            first_read_at, read_at, store_updated_at, order_mode, indexed)
        VALUES (${shop}, ${orderId}, ${name}, ${customerId}, ${buyerSealed}, ${reachable}, ${test}, ${cancelledAt},
                ${processedAt}, ${at}, ${at}, ${order.updatedAt}, ${orWhereShopOrders(orderMode)}, true)
        ON CONFLICT (shop, order_id) DO UPDATE SET
          name = EXCLUDED.name, customer_id = EXCLUDED.customer_id, buyer_sealed = EXCLUDED.buyer_sealed,
          reachable = EXCLUDED.reachable, test = EXCLUDED.test, cancelled_at = EXCLUDED.cancelled_at,
          paid_at = EXCLUDED.paid_at, read_at = EXCLUDED.read_at, store_updated_at = EXCLUDED.store_updated_at,
          order_mode = EXCLUDED.order_mode, indexed = true`,
      );
      if (stored && (stored.test !== test || stored.paidAt.getTime() !== processedAt.getTime())) {
        heldRequests(tx).clear();
        await unanswered(
          tx,
          Prisma.sql`
          UPDATE referral_requests SET order_paid_at = ${processedAt},
            order_mode = CASE WHEN ${test} THEN 'test' ELSE environment END
          WHERE shop = ${shop} AND order_id = ${orderId}`,
        );
      }
      const lastReadAt = stored?.readAt ?? null;
      await writeLines(scope, order, { now: at, ...wanted, states, lastReadAt });
      const titles = order.lines.map((line) => line.title);
      const words = searchWords({ buyer, titles, tags: order.tags });
      await writeWords(scope, { orderId, paidAt: processedAt, words });
      return stored ? "again" : "first";
    },
    async findForUpdate(orderId) {
      await lockOrder({ tx, shop }, orderId);
      const [row] = await readReadings(tx, isOrder(orderId));
      if (!row) return null;
      const { test, readAt, cancelledAt, redactedAt } = row;
      const reviewCode = row.reviewCode as OrderReason | null;
      return { test, readAt, cancelledAt, redactedAt, reviewCode, standing: standingOf(row) };
    },
    async recordUnseen(orderId, { name, placedAt, changedAt, test }, at) {
      await lockOrder({ tx, shop }, orderId);
      const orderMode = orWhereShopOrders(test ? "test" : null);
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO orders (shop, order_id, name, test, paid_at, first_read_at, read_at, store_updated_at, order_mode, indexed)
        VALUES (${shop}, ${orderId}, ${name}, ${test}, ${placedAt}, ${at}, ${at}, ${changedAt}, ${orderMode}, true)
        ON CONFLICT (shop, order_id) DO NOTHING`,
      );
    },
    async paidNotVisible(limit) {
      const code: OrderReason = "paid_not_visible";
      const rows = await readNames(
        tx,
        Prisma.sql`shop = ${shop} AND reason_code IS NOT NULL AND reason_code = ${code}
          ORDER BY paid_at DESC, order_id DESC LIMIT ${limit}`,
      );
      return rows.map((row) => gid("Order", row.orderId));
    },
    async claimFulfilment(orderId, { now, until: fulfillingUntil }) {
      const isFree = [{ fulfillingUntil: null }, { fulfillingUntil: { lte: now } }];
      const isLeft = { fulfillingUntil: { gt: fulfillingUntil } };
      const { count } = await tx.order.updateMany({
        where: { shop, orderId, OR: [...isFree, isLeft] },
        data: { fulfillingUntil },
      });
      if (count > 0) return null;
      const [row] = await readReadings(tx, isOrder(orderId));
      return row?.fulfillingUntil ?? null;
    },
    async endFulfilment(orderId, fulfillingUntil) {
      const where = { shop, orderId, fulfillingUntil };
      await tx.order.updateMany({ where, data: { fulfillingUntil: null } });
    },
    async markReal(orderId) {
      const where = { shop, orderId, orderMode: { not: "production" } };
      await tx.order.updateMany({ where, data: { orderMode: "production" } });
    },
    async setAttention(orderId, reasons, anew = []) {
      const [before] = await readReadings(tx, isOrder(orderId));
      if (!before) return false;
      const untold = standingOf(before).filter((one) => isNotTold(one) && !reasons.includes(one));
      return writeAttention(before, [...reasons, ...untold], anew);
    },
    async setNotTold(orderId, reason, { isOver }) {
      const [before] = await readReadings(tx, isOrder(orderId));
      if (!before || before.redactedAt) return false;
      const others = standingOf(before).filter((one) => one !== reason);
      return writeAttention(before, isOver ? others : [...others, reason], []);
    },
    async asTold(orderId) {
      const [row] = await readReadings(tx, isOrder(orderId));
      if (!row || row.redactedAt) return null;
      const { name, test, paidAt: placedAt, readAt } = row;
      return { name, test, placedAt, changedAt: row.storeUpdatedAt ?? readAt };
    },
    async markHandled(orderId, code) {
      const [before] = await readReadings(tx, Prisma.sql`${isOrder(orderId)} FOR UPDATE`);
      if (before?.reasonCode !== code) return false;
      const next = attentionOf(standingOf(before), [...handledOf(before), code], code);
      await tx.order.updateMany({ where: { shop, orderId }, data: next });
      return next.reasonCode !== null;
    },
    async reopen(orderId, code) {
      const [before] = await readReadings(tx, Prisma.sql`${isOrder(orderId)} FOR UPDATE`);
      if (!before || !handledOf(before).includes(code) || !standingOf(before).includes(code))
        return false;
      const handledCodes = handledOf(before).filter((one) => one !== code);
      // It is shown to the person who brings it back, whatever else stands: that comes after it.
      const shown = { reviewCode: code, reasonCode: code, handledCode: null };
      await tx.order.updateMany({ where: { shop, orderId }, data: { ...shown, handledCodes } });
      return true;
    },
    async variantOf(orderId, lineItemId) {
      const row = await tx.orderLine.findUnique({
        where: { shop_orderId_lineItemId: { shop, orderId, lineItemId } },
        select: { variantId: true, productId: true },
      });
      return row && toSold(row);
    },
    async variantsOf(orderId) {
      const rows = await readLines(tx, Prisma.sql`${isOrder(orderId)} AND variant_id IS NOT NULL`);
      return new Map(
        rows.flatMap((row) => {
          const sold = toSold(row);
          return sold ? [[gid("LineItem", row.lineItemId), sold] as const] : [];
        }),
      );
    },
    async unmappedLines(orderId) {
      const rows = await tx.orderLine.findMany({
        where: { shop, orderId, mappingState: "unmapped", currentQuantity: { gt: 0 } },
        select: { lineItemId: true },
      });
      return rows.map((row) => gid("LineItem", row.lineItemId));
    },
    async buyerOf(orderId) {
      return (await openBuyers(scope, await readBuyers(tx, isOrder(orderId)))).get(orderId) ?? null;
    },
    async customerOf(orderId) {
      const [row] = await readReadings(tx, isOrder(orderId));
      return row?.customerId ? gid("Customer", row.customerId) : null;
    },
    async lastReading(orderId) {
      const [row] = await readReadings(tx, isOrder(orderId));
      if (!row) return null;
      return {
        customerId: row.customerId ? gid("Customer", row.customerId) : null,
        reasons: standingOf(row),
        handled: handledOf(row),
      };
    },
    async unitsOf(orderId) {
      const rows = await readUnits(tx, isOrder(orderId));
      return new Map(rows.map((row) => [gid("LineItem", row.lineItemId), row.currentQuantity]));
    },
    ignoredUnits: (orderId) => readIgnoredUnits(scope, orderId),
    indexSome: (limit) => indexSome(scope, limit),
    async isAnyUnindexed() {
      const [one] = await readNames(
        tx,
        Prisma.sql`shop = ${shop} AND NOT indexed AND redacted_at IS NULL LIMIT 1`,
      );
      return one !== undefined;
    },
    async namesOf(orderIds) {
      const rows = await readNames(
        tx,
        Prisma.sql`shop = ${shop} AND order_id = ANY(${orderIds}::text[])`,
      );
      return new Map(rows.map((row) => [gid("Order", row.orderId), row.name]));
    },
    async withUnmapped(sold, { after, limit }) {
      const rows = idRows.parse(
        await tx.$queryRaw`
          SELECT DISTINCT order_id AS "orderId" FROM order_lines
          WHERE ${isWaitingFor(sold)} AND order_id > ${after ?? ""} ORDER BY 1 LIMIT ${limit}`,
      );
      return rows.map(({ orderId }) => gid("Order", orderId));
    },
    async withIgnored(sold, { after, limit, since }) {
      const rows = idRows.parse(
        await tx.$queryRaw`
          SELECT DISTINCT l.order_id AS "orderId" FROM order_lines l
          JOIN orders o ON o.shop = l.shop AND o.order_id = l.order_id
          WHERE ${isIgnoredSince(sold, since)} AND l.order_id > ${after ?? ""}
          ORDER BY 1 LIMIT ${limit}`,
      );
      return rows.map(({ orderId }) => gid("Order", orderId));
    },
    async countIgnored(sold, since) {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(DISTINCT l.order_id)::int AS count FROM order_lines l
        JOIN orders o ON o.shop = l.shop AND o.order_id = l.order_id
        WHERE ${isIgnoredSince(sold, since)}`;
      return row?.count ?? 0;
    },
    async countOpened(sold, { environment, at }) {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(DISTINCT r.order_id)::int AS count FROM referral_requests r
        JOIN order_lines l ON l.shop = r.shop AND l.order_id = r.order_id AND l.line_item_id = r.line_item_id
        WHERE r.shop = ${shop} AND r.environment = ${environment} AND r.created_at >= ${at} AND r.generation = 1
          AND (l.variant_id = ${sold} OR l.product_id = ${sold} AND NOT EXISTS (
            SELECT FROM mappings own WHERE own.shop = r.shop AND own.environment = r.environment
              AND own.variant_id = l.variant_id))`;
      return row?.count ?? 0;
    },
    async countUnsentOtherwise(sold, environment) {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM referral_requests r
        JOIN order_lines l ON l.shop = r.shop AND l.order_id = r.order_id AND l.line_item_id = r.line_item_id
        JOIN LATERAL (
          SELECT * FROM mappings WHERE shop = ${shop} AND environment = r.environment
            AND variant_id IN (l.variant_id, l.product_id) ORDER BY variant_id = product_id LIMIT 1
        ) m ON true
        WHERE r.shop = ${shop} AND r.environment = ${environment} AND (l.variant_id = ${sold} OR l.product_id = ${sold})
          AND r.state = ANY(${["awaiting_details", "ready", "held"]}::text[]) AND r.generation = 1 AND r.missing_part IS NULL
          AND m.kind = 'order' AND (r.bundle_id IS DISTINCT FROM m.bundle_id
            OR NOT (coalesce(r.tests, '{}') @> coalesce(m.tests, '{}') AND coalesce(r.tests, '{}') <@ coalesce(m.tests, '{}'))
            OR NOT (coalesce(r.medicare_tests, '{}') @> coalesce(m.medicare_tests, '{}')
              AND coalesce(r.medicare_tests, '{}') <@ coalesce(m.medicare_tests, '{}')))`;
      return row?.count ?? 0;
    },
    async countUnmapped(sold) {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(DISTINCT order_id)::int AS count FROM order_lines
        WHERE ${isWaitingFor(sold)}`;
      return row?.count ?? 0;
    },
  };
}

const idRows = z.array(z.object({ orderId: z.string() }));

function toSold(row: { variantId: string | null; productId: string | null }): SoldVariant | null {
  if (!row.variantId) return null;
  const productId = row.productId ? gid("Product", row.productId) : null;
  return { variantId: gid("ProductVariant", row.variantId), productId };
}
