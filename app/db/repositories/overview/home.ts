import { z } from "zod";
import { ENVIRONMENTS, type Environment } from "../../../domain/connections/connection.ts";
import { gid, type OrderId } from "../../../domain/ids.ts";
import {
  type AgeingReferral,
  type AttentionItem,
  COUNT_LIMIT,
  type DayOfRequests,
  type UnmappedSale,
} from "../../../domain/overview/overview-repository.ts";
import { STAGES, type Stage, stageRecord } from "../../../domain/overview/stage.ts";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../scope.ts";
import { stageCount } from "./order-selection.ts";

const stage = z.enum(STAGES);
const orderId = z.string().transform((value) => gid("Order", value));

const unmappedRows = z.array(
  z.object({
    variantId: z.string().transform((value) => gid("ProductVariant", value)),
    productId: z
      .string()
      .nullable()
      .transform((value) => (value === null ? null : gid("Product", value))),
    title: z.string(),
    orders: z.number(),
  }),
);

export async function readUnmappedSales({ tx, shop }: Scope): Promise<UnmappedSale[]> {
  const rows = await tx.$queryRaw`
    SELECT l.variant_id AS "variantId", max(l.product_id) AS "productId", max(l.title) AS title,
           count(DISTINCT l.order_id)::int AS orders
    FROM order_lines l JOIN orders o ON o.shop = l.shop AND o.order_id = l.order_id
    WHERE l.shop = ${shop} AND l.mapping_state = 'unmapped' AND l.variant_id IS NOT NULL
      AND o.cancelled_at IS NULL
    GROUP BY 1 ORDER BY orders DESC, title LIMIT 20`;
  return unmappedRows.parse(rows);
}

export async function readStageCounts({ tx, shop }: Scope): Promise<Record<Stage, number>> {
  const counts = STAGES.map((one) => stageCount(shop, one, COUNT_LIMIT));
  const rows = z
    .array(z.object({ stage, count: z.number() }))
    .parse(await tx.$queryRaw`${Prisma.join(counts, " UNION ALL ")}`);
  return stageRecord((name) => rows.find((row) => row.stage === name)?.count ?? 0);
}

/** How far the shop has come: whether anything is mapped to an order, and whether a rehearsal went well to its end. */
export async function readSetup({ tx, shop }: Scope, environment: Environment) {
  const mapping = await tx.mapping.findFirst({
    where: { shop, environment, kind: "order" },
    select: { variantId: true },
  });
  const rehearsal = await tx.rehearsal.findFirst({
    where: { shop, finishedAt: { not: null }, failure: null },
    select: { id: true },
  });
  return { hasMapping: mapping !== null, hasRehearsed: rehearsal !== null };
}

const dayRows = z.array(z.object({ day: z.string(), stage, count: z.number() }));

export async function readRequestsByDay(
  { tx, shop }: Scope,
  since: Date,
  timeZone: string,
): Promise<DayOfRequests[]> {
  const rows = await tx.$queryRaw`
    SELECT to_char(order_paid_at AT TIME ZONE ${timeZone}, 'YYYY-MM-DD') AS day, stage,
           count(*)::int AS count
    FROM referral_requests
    WHERE shop = ${shop} AND stage IN (${Prisma.join(STAGES)}) AND order_paid_at >= ${since}
    GROUP BY 1, 2 ORDER BY 1`;
  return dayRows.parse(rows);
}

const attentionRows = z.array(
  z.object({
    orderId,
    orderName: z.string(),
    paidAt: z.date(),
    reason: z.string(),
    requestIds: z.array(z.string()),
  }),
);

export async function readAttentionOf(
  { tx, shop }: Scope,
  orderIds: OrderId[],
): Promise<AttentionItem[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx.$queryRaw`
    SELECT o.order_id AS "orderId", o.name AS "orderName", o.paid_at AS "paidAt", found.reason,
           found.ids AS "requestIds"
    FROM (
      SELECT order_id, reason, '{}'::text[] AS ids FROM orders
      WHERE shop = ${shop} AND order_id IN (${Prisma.join(orderIds)}) AND reason IS NOT NULL
      UNION ALL
      SELECT order_id, reason, array_agg(id::text ORDER BY line_item_id, unit, generation)
      FROM referral_requests
      WHERE shop = ${shop} AND order_id IN (${Prisma.join(orderIds)}) AND stage = 'attention'
      GROUP BY 1, 2
    ) found JOIN orders o ON o.shop = ${shop} AND o.order_id = found.order_id
    ORDER BY o.paid_at DESC, o.order_id DESC, found.reason`;
  return attentionRows.parse(rows);
}

const ageingRows = z.array(
  z.object({
    orderId,
    orderName: z.string(),
    title: z.string(),
    environment: z.enum(ENVIRONMENTS),
    issuedAt: z.date(),
    bundleId: z.string().nullable(),
    tests: z.array(z.string()),
  }),
);

export async function readWithoutResults(
  { tx, shop }: Scope,
  issuedBefore: Date,
  limit: number,
): Promise<AgeingReferral[]> {
  const rows = await tx.$queryRaw`
    SELECT r.order_id AS "orderId", o.name AS "orderName", r.title, f.environment,
           f.service_created_at AS "issuedAt", r.bundle_id AS "bundleId",
           coalesce(r.tests, '{}') || coalesce(r.medicare_tests, '{}') AS tests
    FROM (
      SELECT * FROM referrals
      WHERE shop = ${shop} AND status = 'ISSUED' AND deleted_at IS NULL AND result_uuid IS NULL
        AND service_created_at < ${issuedBefore}
      ORDER BY service_created_at LIMIT ${limit}
    ) f
    JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
    JOIN orders o ON o.shop = r.shop AND o.order_id = r.order_id
    ORDER BY f.service_created_at`;
  return ageingRows.parse(rows);
}
