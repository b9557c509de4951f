import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { heldRequests } from "../../../platform/database/held-rows.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { gid, type OrderId, type ProductId, type VariantId } from "../../kernel/ids.ts";
import type { SoldVariant } from "../../referrals/order-facts.ts";
import { isStale, type MappingState, type OrderRepository } from "../order.ts";
import type { OrderReason } from "../order-reason.ts";
import { searchWords } from "../search-words.ts";
import { buyerField, openBuyers } from "./buyers.ts";
import { indexSome } from "./index-some.ts";
import { lockOrder } from "./order-lock.ts";
import { writeWords } from "./order-words.ts";

type OrderRow = NonNullable<Awaited<ReturnType<Scope["tx"]["order"]["findUnique"]>>>;
type LineRow = NonNullable<Awaited<ReturnType<Scope["tx"]["orderLine"]["findUnique"]>>>;

const readModes = rowsOf<{ environment: string }>("shops", ["environment"]);
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

export function orderRepository(scope: Scope): OrderRepository {
  const { tx, shop, keys } = scope;
  const isOrder = (orderId: OrderId) => Prisma.sql`shop = ${shop} AND order_id = ${orderId}`;
  /** Where the shop orders now. */
  const usualMode = async () => {
    const [row] = await readModes(tx, Prisma.sql`shop = ${shop}`);
    return row?.environment ?? "staging";
  };
  const linesOf = (sold: VariantId | ProductId, mappingState: MappingState) => ({
    ...{ shop, mappingState },
    OR: [{ variantId: sold }, { productId: sold }],
  });
  return {
    lock: (orderId) => lockOrder({ tx, shop }, orderId),
    async beginReading() {
      const [row] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
      if (!row) throw new Error("The database did not tell the time");
      return row.now;
    },
    async record(order, states, at) {
      const { id: orderId, name, customerId, buyer, test, cancelledAt, processedAt } = order;
      const reachable = customerId !== null || buyer.email !== null;
      await lockOrder({ tx, shop }, orderId);
      const [stored, usual] = await Promise.all([
        readReadings(tx, isOrder(orderId)).then(([row]) => row),
        usualMode(),
      ]);
      if (stored?.redactedAt) return "redacted";
      if (stored && isStale(order, at, stored)) return "stale";
      const orderMode = test ? "test" : stored && !stored.test ? stored.orderMode : usual;
      const sealer = await keys.sealer({ order: orderId });
      const buyerSealed = sealer.sealJson(buyerField(orderId), buyer);
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO orders (shop, order_id, name, customer_id, buyer_sealed, reachable, test, cancelled_at, paid_at,
                            first_read_at, read_at, store_updated_at, order_mode, indexed)
        VALUES (${shop}, ${orderId}, ${name}, ${customerId}, ${buyerSealed}, ${reachable}, ${test}, ${cancelledAt},
                ${processedAt}, ${at}, ${at}, ${order.updatedAt}, ${orderMode}, true)
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
      const lines = order.lines.map(({ id, currentQuantity, variantId, productId, ...line }) => ({
        ...{ line_item_id: id, current_quantity: currentQuantity },
        ...{ variant_id: variantId, product_id: productId },
        ...{ title: line.title, sku: line.sku, quantity: line.quantity },
        mapping_state: states.get(id) ?? "unmapped",
      }));
      // A product that was deleted since is not named any more.
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO order_lines (shop, order_id, line_item_id, variant_id, product_id, title, sku, quantity,
                                 current_quantity, mapping_state)
        SELECT ${shop}, ${orderId}, l.* FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
          AS l(line_item_id text, variant_id text, product_id text, title text, sku text, quantity int,
               current_quantity int, mapping_state text)
        ON CONFLICT (shop, order_id, line_item_id) DO UPDATE SET
          variant_id = coalesce(EXCLUDED.variant_id, order_lines.variant_id),
          product_id = coalesce(EXCLUDED.product_id, order_lines.product_id),
          title = EXCLUDED.title, sku = EXCLUDED.sku, quantity = EXCLUDED.quantity,
          current_quantity = EXCLUDED.current_quantity, mapping_state = EXCLUDED.mapping_state`,
      );
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
      return { test, readAt, cancelledAt, redactedAt, reviewCode };
    },
    async markReal(orderId) {
      const where = { shop, orderId, orderMode: { not: "production" } };
      await tx.order.updateMany({ where, data: { orderMode: "production" } });
    },
    async setAttention(orderId, reviewCode, { isAnew } = { isAnew: false }) {
      const [before] = await readReadings(tx, isOrder(orderId));
      if (!before) return false;
      const isHandled = !isAnew && before.handledCode === reviewCode;
      const data = {
        reviewCode,
        handledCode: isHandled ? reviewCode : null,
        reasonCode: isHandled ? null : reviewCode,
      };
      const isChange =
        before.reviewCode !== data.reviewCode ||
        before.handledCode !== data.handledCode ||
        before.reasonCode !== data.reasonCode;
      if (isChange)
        await unanswered(
          tx,
          Prisma.sql`
          UPDATE orders SET review_code = ${data.reviewCode}, handled_code = ${data.handledCode},
            reason_code = ${data.reasonCode}
          WHERE shop = ${shop} AND order_id = ${orderId}`,
        );
      return data.reasonCode !== null && data.reasonCode !== before.reasonCode;
    },
    async markHandled(orderId, code) {
      const where = { shop, orderId, reasonCode: code };
      await tx.order.updateMany({ where, data: { handledCode: code, reasonCode: null } });
    },
    async reopen(orderId, code) {
      const where = { shop, orderId, handledCode: code, reviewCode: code };
      const data = { handledCode: null, reasonCode: code };
      return (await tx.order.updateMany({ where, data })).count > 0;
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
        reason: row.reviewCode,
      };
    },
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
      const rows = await tx.orderLine.groupBy({
        by: ["orderId"],
        where: { ...linesOf(sold, "unmapped"), ...(after ? { orderId: { gt: after } } : {}) },
        orderBy: { orderId: "asc" },
        take: limit,
      });
      return rows.map((row) => gid("Order", row.orderId));
    },
    async withIgnored(sold, { after, limit, since }) {
      const rows = idRows.parse(
        await tx.$queryRaw`
          SELECT DISTINCT l.order_id AS "orderId" FROM order_lines l
          JOIN orders o ON o.shop = l.shop AND o.order_id = l.order_id AND o.read_at >= ${since}
          WHERE l.shop = ${shop} AND (l.variant_id = ${sold} OR l.product_id = ${sold})
            AND l.mapping_state = 'ignored' AND l.order_id > ${after ?? ""}
          ORDER BY 1 LIMIT ${limit}`,
      );
      return rows.map(({ orderId }) => gid("Order", orderId));
    },
    async countIgnored(sold, since) {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(DISTINCT l.order_id)::int AS count FROM order_lines l
        JOIN orders o ON o.shop = l.shop AND o.order_id = l.order_id AND o.read_at >= ${since}
        WHERE l.shop = ${shop} AND (l.variant_id = ${sold} OR l.product_id = ${sold}) AND l.mapping_state = 'ignored'`;
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
    async countUnmapped(sold) {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(DISTINCT order_id)::int AS count FROM order_lines
        WHERE shop = ${shop} AND (variant_id = ${sold} OR product_id = ${sold}) AND mapping_state = 'unmapped'`;
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
