import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { gid, type OrderId } from "../../../kernel/ids.ts";
import { CONNECTION_UNREADABLE, CREDENTIALS_REFUSED } from "../../../shops/connection.ts";
import type { OrderWait } from "../../order-wait.ts";

/** First the causes between Pathway and the service. */
const ORDER = ["connection", "service", "credentials", "pause", "practitioner", "details"] as const;

const waitRows = z.array(
  z.object({
    orderId: z.string().transform((value) => gid("Order", value)),
    kind: z.enum(ORDER),
    since: z.date(),
    remindedAt: z.date().nullable(),
  }),
);

/** The causes for which each of these orders waits, the connection and the service first: each kind once, since the oldest wait. */
export async function readOrderWaits(
  { tx, shop }: Scope,
  orderIds: OrderId[],
): Promise<Map<OrderId, OrderWait[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = waitRows.parse(
    await tx.$queryRaw`
      SELECT order_id AS "orderId", kind, min(since) AS since, max(reminded_at) AS "remindedAt" FROM (
        SELECT r.order_id, CASE WHEN c.failure_code IN (${CREDENTIALS_REFUSED}, ${CONNECTION_UNREADABLE}) THEN 'credentials' ELSE 'service' END AS kind,
               c.failing_since AS since, NULL::timestamptz AS reminded_at
        FROM referral_requests r
        JOIN connections c ON c.shop = r.shop AND c.environment = r.environment AND c.failing_since IS NOT NULL
        WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(orderIds)})
          AND (r.state IN ('ready', 'sending', 'ambiguous')
            OR (c.failure_code IN (${CREDENTIALS_REFUSED}, ${CONNECTION_UNREADABLE}) AND r.state = 'created' AND r.stage = 'in_progress'))
        UNION ALL
        SELECT r.order_id, 'connection', r.created_at, NULL
        FROM referral_requests r
        WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(orderIds)})
          AND (r.state IN ('ready', 'sending', 'ambiguous') OR (r.state = 'created' AND r.stage = 'in_progress'))
          AND NOT EXISTS (
            SELECT FROM connections c WHERE c.shop = r.shop AND c.environment = r.environment)
        UNION ALL
        SELECT r.order_id, 'pause', c.paused_at, NULL
        FROM referral_requests r
        JOIN connections c ON c.shop = r.shop AND c.environment = r.environment AND c.paused_at IS NOT NULL
        WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(orderIds)}) AND r.state IN ('ready', 'ambiguous')
        UNION ALL
        SELECT r.order_id, 'practitioner', f.service_updated_at, NULL
        FROM referral_requests r
        JOIN referrals f ON f.shop = r.shop AND f.request_id = r.id
        WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(orderIds)}) AND r.stage = 'in_progress'
          AND f.status = 'PENDING_VERIFICATION' AND f.deleted_at IS NULL AND f.replaced_by IS NULL
        UNION ALL
        SELECT r.order_id, 'details', r.created_at,
               (SELECT max(n.sent_at) FROM notifications n
                WHERE n.shop = r.shop AND n.request_id = r.id AND n.kind = 'details_reminder')
        FROM referral_requests r
        WHERE r.shop = ${shop} AND r.order_id IN (${Prisma.join(orderIds)})
          AND r.stage = 'awaiting_details' AND r.replaced_by IS NULL
      ) waits GROUP BY 1, 2`,
  );
  const sorted = rows.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  const found = new Map<OrderId, OrderWait[]>();
  for (const { orderId, kind, since, remindedAt } of sorted) {
    const wait: OrderWait = kind === "details" ? { kind, since, remindedAt } : { kind, since };
    found.set(orderId, [...(found.get(orderId) ?? []), wait]);
  }
  return found;
}
