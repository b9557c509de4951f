import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { isAwaitingMapping } from "../../../catalogue/postgres/awaiting-mapping.ts";
import { gid, type OrderId, type ShopDomain } from "../../../kernel/ids.ts";
import { REFERRAL_OTHER_PERSON } from "../../../referrals/other-person.ts";
import { URGENT_SHOWN } from "../../../referrals/urgency.ts";
import { ENVIRONMENTS } from "../../../shops/connection.ts";
import {
  type AttentionItem,
  type AttentionReason,
  type HandledItem,
  UNDELIVERED,
} from "../../attention-item.ts";

const orderId = z.string().transform((value) => gid("Order", value));

const attentionRows = z.array(
  z.object({
    orderId,
    orderName: z.string(),
    paidAt: z.date(),
    code: z.string(),
    detail: z.string().nullable(),
    requestIds: z.array(z.string()),
    lineItemIds: z.array(z.string().transform((value) => gid("LineItem", value))),
    units: z.array(z.number()),
    variantId: z
      .string()
      .nullable()
      .transform((value) => (value === null ? null : gid("ProductVariant", value))),
    environment: z.enum(ENVIRONMENTS).nullable(),
    version: z.string(),
    forms: z.number(),
    undelivered: z.enum(UNDELIVERED).nullable(),
  }),
);

const handledRows = z.array(
  attentionRows.element.pick({ orderId: true, code: true, detail: true, requestIds: true }),
);

/** The subject of an order's own reason: whose it is, and what it buys. */
const orderStands = (shop: ShopDomain) => Prisma.sql`(
  SELECT concat_ws(' ', o.customer_id, string_agg(concat_ws(' ', l.line_item_id, l.variant_id, l.quantity, l.current_quantity), ','
                                                  ORDER BY l.line_item_id))
  FROM order_lines l WHERE l.shop = ${shop} AND l.order_id = o.order_id)`;

/** Where tests stand, and for one whose shown result has to be talked about, which results these are. */
const testsStand = (shop: ShopDomain) => Prisma.sql`(
  SELECT string_agg(concat_ws(' ', r.id, r.state, r.attempt, r.result_code, r.review_code, r.review_detail, (
    SELECT string_agg(concat_ws(' ', s.uuid, s.service_updated_at, s.figures_at), ',' ORDER BY s.uuid) FROM results s
    WHERE s.shop = ${shop} AND s.request_id = r.id AND found.code = ${URGENT_SHOWN}
  )), ';' ORDER BY r.id)
  FROM referral_requests r WHERE r.shop = ${shop} AND r.id = ANY(found.ids::uuid[]))`;

export async function readAttentionOf(
  { tx, shop }: Scope,
  orderIds: OrderId[],
): Promise<AttentionItem[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx.$queryRaw`
    SELECT o.order_id AS "orderId", o.name AS "orderName", o.paid_at AS "paidAt", found.code, found.detail,
           found.ids AS "requestIds", found.line_item_ids AS "lineItemIds", found.units, found.variant_id AS "variantId", found.environment,
           md5(concat_ws('/', CASE WHEN cardinality(found.ids) = 0 THEN ${orderStands(shop)} END, ${testsStand(shop)}, named.stands)) AS version,
           coalesce(named.forms, 0) AS forms, mails.undelivered
    FROM (
      SELECT o.order_id, o.reason_code AS code, NULL::text AS detail, '{}'::text[] AS ids, '{}'::text[] AS line_item_ids,
             '{}'::integer[] AS units, min(l.variant_id) AS variant_id,
             CASE WHEN o.test THEN 'staging' END AS environment
      FROM orders o
      LEFT JOIN order_lines l ON o.reason_code IN ('unmapped_line', 'parts_of_bundle') AND l.shop = o.shop AND l.order_id = o.order_id
        AND ${isAwaitingMapping(shop)}
      WHERE o.shop = ${shop} AND o.order_id IN (${Prisma.join(orderIds)}) AND o.reason_code IS NOT NULL
      GROUP BY 1, 2, o.test
      UNION ALL
      SELECT r.order_id, r.reason_code, r.reason_detail, array_agg(r.id::text ORDER BY r.line_item_id, r.unit, r.generation),
             array_agg(r.line_item_id ORDER BY r.line_item_id, r.unit, r.generation),
             array_agg(r.unit ORDER BY r.line_item_id, r.unit, r.generation), min(l.variant_id), min(r.environment)
      FROM referral_requests r
      LEFT JOIN order_lines l ON l.shop = r.shop AND l.order_id = r.order_id AND l.line_item_id = r.line_item_id
      WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(orderIds)}) AND r.stage = 'attention'
      GROUP BY 1, 2, 3
    ) found JOIN orders o ON o.shop = ${shop} AND o.order_id = found.order_id
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS forms, string_agg(concat_ws(' ', f.uuid, f.fetched_at), ',' ORDER BY f.uuid) AS stands
      FROM referrals f WHERE f.shop = ${shop} AND f.request_id = ANY(found.ids::uuid[])
        AND f.other_person AND f.deleted_at IS NULL AND f.replaced_by IS NULL
    ) named ON found.code = ${REFERRAL_OTHER_PERSON}
    LEFT JOIN LATERAL (
      SELECT CASE WHEN count(DISTINCT how) = 1 THEN min(how) END AS undelivered
      FROM (
        SELECT CASE WHEN t.kind = 'patient_lost' THEN 'lost'
                    WHEN t.detail ->> 'triedForHours' IS NOT NULL THEN 'put_off'
                    WHEN t.detail ->> 'hasNoAddress' IS NOT NULL THEN 'no_address' ELSE 'refused' END AS how
        FROM timeline t JOIN referral_requests r ON r.shop = ${shop} AND r.id = ANY(found.ids::uuid[]) AND r.mail_refused_at = t.at
        WHERE t.shop = ${shop} AND t.order_id = found.order_id AND t.kind IN ('mail_refused', 'patient_lost')
      ) refusals
    ) mails ON found.code = 'mail_refused'
    ORDER BY o.paid_at DESC, o.order_id DESC, found.code, found.detail`;
  return attentionRows.parse(rows).map(({ code, detail, lineItemIds, units, ...item }) => ({
    ...item,
    units: units.flatMap((unit, index) => {
      const lineItemId = lineItemIds[index];
      return lineItemId ? [{ orderId: item.orderId, lineItemId, unit }] : [];
    }),
    reason: { code, detail } as AttentionReason,
  }));
}

export async function readHandledOf(
  { tx, shop }: Scope,
  orderIds: OrderId[],
): Promise<HandledItem[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx.$queryRaw`
    SELECT order_id AS "orderId", dealt.code, NULL::text AS detail, '{}'::text[] AS "requestIds"
    FROM orders, LATERAL (SELECT DISTINCT unnest(handled_codes || handled_code) AS code) dealt
    WHERE shop = ${shop} AND order_id IN (${Prisma.join(orderIds)}) AND dealt.code IS NOT NULL
    UNION ALL
    SELECT order_id, handled_code, handled_detail, array_agg(id::text ORDER BY line_item_id, unit, generation)
    FROM referral_requests
    WHERE shop = ${shop} AND order_id IN (${Prisma.join(orderIds)}) AND handled_code IS NOT NULL
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3`;
  return handledRows.parse(rows).map(({ code, detail, ...item }) => ({
    ...item,
    reason: { code, detail } as AttentionReason,
  }));
}

export async function readOrdersWithReason(
  { tx, shop }: Scope,
  codes: readonly string[],
  limit: number,
): Promise<OrderId[]> {
  const rows = await tx.$queryRaw`
    SELECT DISTINCT order_paid_at, order_id AS "orderId" FROM referral_requests
    WHERE shop = ${shop} AND stage = 'attention' AND reason_code = ANY(${codes})
    ORDER BY order_paid_at, order_id LIMIT ${limit}`;
  return z
    .array(z.object({ orderId }))
    .parse(rows)
    .map((row) => row.orderId);
}
