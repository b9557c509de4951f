import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import type { OrderId } from "../../../kernel/ids.ts";
import { STAGES } from "../../../referrals/stage.ts";
import type { ExportedRequest } from "../../exported-request.ts";
import { ORDER_MODES } from "../../order-selection.ts";

const rowsSchema = z.array(
  z.object({
    orderName: z.string(),
    orderId: z.string(),
    orderMode: z.enum(ORDER_MODES),
    paidAt: z.date(),
    cancelledAt: z.date().nullable(),
    unit: z.number().nullable(),
    generation: z.number().nullable(),
    referenceNumber: z.string().nullable(),
    stage: z.enum(STAGES).nullable(),
    state: z.string().nullable(),
    references: z.array(z.string()),
  }),
);

/** Columns are named one by one: what is sealed, or tells who or what for, is not among them. */
export async function readExportRows(
  { tx, shop }: Scope,
  orderIds: OrderId[],
): Promise<ExportedRequest[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx.$queryRaw`
    SELECT o.name AS "orderName", o.order_id AS "orderId", o.order_mode AS "orderMode", o.paid_at AS "paidAt",
           o.cancelled_at AS "cancelledAt", r.unit, r.generation,
           r.reference_number AS "referenceNumber", r.stage, r.state,
           ARRAY(SELECT f.reference FROM referrals f
                 WHERE f.shop = ${shop} AND f.request_id = r.id AND f.deleted_at IS NULL
                 ORDER BY f.service_created_at) AS references
    FROM orders o
    LEFT JOIN referral_requests r ON r.shop = o.shop AND r.order_id = o.order_id
    WHERE o.shop = ${shop} AND o.order_id IN (${Prisma.join(orderIds)})
    ORDER BY o.paid_at DESC, o.order_id DESC, r.line_item_id, r.unit, r.generation`;
  return rowsSchema.parse(rows);
}
