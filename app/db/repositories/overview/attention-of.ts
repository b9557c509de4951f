import { z } from "zod";
import { gid, type OrderId } from "../../../domain/ids.ts";
import type { AttentionItem } from "../../../domain/overview/attention-item.ts";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../scope.ts";

const orderId = z.string().transform((value) => gid("Order", value));

const attentionRows = z.array(
  z.object({
    orderId,
    orderName: z.string(),
    paidAt: z.date(),
    reason: z.string(),
    requestIds: z.array(z.string()),
    variantId: z
      .string()
      .nullable()
      .transform((value) => (value === null ? null : gid("ProductVariant", value))),
  }),
);

export async function readAttentionOf(
  { tx, shop }: Scope,
  orderIds: OrderId[],
): Promise<AttentionItem[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx.$queryRaw`
    SELECT o.order_id AS "orderId", o.name AS "orderName", o.paid_at AS "paidAt", found.reason,
           found.ids AS "requestIds", found.variant_id AS "variantId"
    FROM (
      SELECT order_id, reason, '{}'::text[] AS ids, NULL AS variant_id FROM orders
      WHERE shop = ${shop} AND order_id IN (${Prisma.join(orderIds)}) AND reason IS NOT NULL
      UNION ALL
      SELECT r.order_id, r.reason, array_agg(r.id::text ORDER BY r.line_item_id, r.unit, r.generation),
             min(l.variant_id)
      FROM referral_requests r
      LEFT JOIN order_lines l ON l.shop = r.shop AND l.order_id = r.order_id AND l.line_item_id = r.line_item_id
      WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(orderIds)}) AND r.stage = 'attention'
      GROUP BY 1, 2
    ) found JOIN orders o ON o.shop = ${shop} AND o.order_id = found.order_id
    ORDER BY o.paid_at DESC, o.order_id DESC, found.reason`;
  return attentionRows.parse(rows);
}
