import { z } from "zod";
import type { Environment } from "../../../domain/connections/connection.ts";
import { gid } from "../../../domain/ids.ts";
import type {
  AttentionItem,
  DayOfRequests,
  UnmappedSale,
} from "../../../domain/overview/overview-repository.ts";
import { STAGES, type Stage, stageRecord } from "../../../domain/overview/stage.ts";
import type { Scope } from "../scope.ts";
import { attentionRequests, FACTS_OF_FEW, factsOfAll, STAGE } from "./stage-sql.ts";

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
  const rows = z.array(z.object({ stage, count: z.number() })).parse(
    await tx.$queryRaw`
      SELECT ${STAGE} AS stage, count(*)::int AS count
      FROM referral_requests r ${factsOfAll(shop)} WHERE r.shop = ${shop} GROUP BY 1`,
  );
  return stageRecord((name) => rows.find((row) => row.stage === name)?.count ?? 0);
}

/** How far the shop has come: whether anything is mapped to an order, and whether anything was ordered. */
export async function readSetup({ tx, shop }: Scope, environment: Environment) {
  const mapping = await tx.mapping.findFirst({
    where: { shop, environment, kind: "order" },
    select: { variantId: true },
  });
  const referral = await tx.referral.findFirst({ where: { shop }, select: { uuid: true } });
  return { hasMapping: mapping !== null, hasReferral: referral !== null };
}

const dayRows = z.array(z.object({ day: z.string(), stage, count: z.number() }));

export async function readRequestsByDay(
  { tx, shop }: Scope,
  since: Date,
  timeZone: string,
): Promise<DayOfRequests[]> {
  const rows = await tx.$queryRaw`
    SELECT to_char(o.paid_at AT TIME ZONE ${timeZone}, 'YYYY-MM-DD') AS day,
           ${STAGE} AS stage, count(*)::int AS count
    FROM orders o JOIN referral_requests r ON r.shop = o.shop AND r.order_id = o.order_id
    ${FACTS_OF_FEW}
    WHERE o.shop = ${shop} AND o.paid_at >= ${since}
    GROUP BY 1, 2 ORDER BY 1`;
  return dayRows.parse(rows);
}

const attentionRows = z.array(
  z.object({
    orderId,
    orderName: z.string(),
    paidAt: z.date(),
    reason: z.string(),
    requests: z.number(),
  }),
);

/** Orders with something that needs a person, in whichever of their requests or in the order itself. */
export async function countOrdersInNeed({ tx, shop }: Scope): Promise<number> {
  const [row] = z.array(z.object({ count: z.number() })).parse(
    await tx.$queryRaw`
      SELECT count(*)::int AS count FROM (
        SELECT order_id FROM orders WHERE shop = ${shop} AND attention IS NOT NULL
        UNION SELECT order_id FROM (${attentionRequests(shop)}) needy
      ) found`,
  );
  return row?.count ?? 0;
}

export async function readAttention({ tx, shop }: Scope, limit: number): Promise<AttentionItem[]> {
  const rows = await tx.$queryRaw`
    SELECT o.order_id AS "orderId", o.name AS "orderName", o.paid_at AS "paidAt", found.reason,
           found.requests
    FROM (
      SELECT order_id, attention AS reason, 0 AS requests FROM orders
      WHERE shop = ${shop} AND attention IS NOT NULL
      UNION ALL
      SELECT order_id, reason, count(*)::int FROM (${attentionRequests(shop)}) needy GROUP BY 1, 2
    ) found JOIN orders o ON o.shop = ${shop} AND o.order_id = found.order_id
    ORDER BY o.paid_at DESC, o.order_id DESC, found.reason LIMIT ${limit}`;
  return attentionRows.parse(rows);
}
