import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { gid, type OrderId } from "../../../kernel/ids.ts";
import { openBuyers } from "../../../orders/postgres/buyers.ts";
import { STAGES } from "../../../referrals/stage.ts";
import type { ExportedRequest } from "../../exported-request.ts";
import { ORDER_MODES } from "../../order-selection.ts";
import { toCustomer } from "../../order-summary.ts";

const rowsSchema = z.array(
  z.object({
    orderName: z.string(),
    orderId: z.string().transform((value) => gid("Order", value)),
    orderMode: z.enum(ORDER_MODES),
    paidAt: z.date(),
    cancelledAt: z.date().nullable(),
    redactedAt: z.date().nullable(),
    buyerSealed: z.instanceof(Uint8Array).nullable(),
    product: z.string(),
    unit: z.number().nullable(),
    generation: z.number().nullable(),
    referenceNumber: z.string().nullable(),
    stage: z.enum(STAGES).nullable(),
    state: z.string().nullable(),
    isReplaced: z.boolean(),
    isTestErased: z.boolean(),
    references: z.array(z.string()),
  }),
);

/** The tests of these orders, in their sequence. Columns are named one by one: nothing of a patient is among them. */
export async function readExportRows(
  scope: Scope,
  orderIds: OrderId[],
): Promise<ExportedRequest[]> {
  const { tx, shop } = scope;
  if (orderIds.length === 0) return [];
  const rows = await tx.$queryRaw`
    SELECT o.name AS "orderName", o.order_id AS "orderId", o.order_mode AS "orderMode", o.paid_at AS "paidAt",
           o.cancelled_at AS "cancelledAt", o.redacted_at AS "redactedAt", o.buyer_sealed AS "buyerSealed",
           coalesce(r.title, (SELECT string_agg(DISTINCT l.title, ', ') FROM order_lines l
                              WHERE l.shop = ${shop} AND l.order_id = o.order_id), '') AS product,
           r.unit, r.generation,
           r.reference_number AS "referenceNumber", r.state,
           coalesce(r.stage = 'cancelled' AND r.replaced_by IS NOT NULL, false) AS "isReplaced",
           coalesce(r.state = 'created' AND r.redacted_at IS NOT NULL AND r.stage IN ('in_progress', 'results_ready'), false) AS "isTestErased",
           coalesce(r.stage, CASE WHEN o.reason_code IS NOT NULL THEN 'attention' END) AS stage,
           ARRAY(SELECT f.reference FROM referrals f
                 WHERE f.shop = ${shop} AND f.request_id = r.id AND f.deleted_at IS NULL
                 ORDER BY f.service_created_at) AS references
    FROM orders o
    LEFT JOIN referral_requests r ON r.shop = o.shop AND r.order_id = o.order_id
    WHERE o.shop = ${shop} AND o.order_id IN (${Prisma.join(orderIds)})
    ORDER BY array_position(${orderIds}::text[], o.order_id), r.line_item_id, r.unit, r.generation`;
  const requests = rowsSchema.parse(rows);
  const buyers = await openBuyers(scope, requests);
  return requests.map(({ buyerSealed, redactedAt, ...request }) => {
    const buyer = buyers.get(request.orderId);
    const isErased = redactedAt !== null || (buyerSealed !== null && !buyer);
    return { ...request, customer: toCustomer(buyer), isErased };
  });
}
