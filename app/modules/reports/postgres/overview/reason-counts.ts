import { z } from "zod";
import type { Scope } from "../../../../platform/database/scope.ts";
import type { ReasonCount } from "../../attention-item.ts";

const countRows = z.array(z.object({ code: z.string(), count: z.number() }));

/**
 * How many orders need a person for each reason, as far as the newest `limit` requests and the newest `limit` orders with a
 * reason of their own tell: the count costs the same in every shop. The most frequent first.
 */
export async function readReasonCounts({ tx, shop }: Scope, limit: number): Promise<ReasonCount[]> {
  return countRows.parse(
    await tx.$queryRaw`
      SELECT code, count(DISTINCT order_id)::int AS count FROM (
        (SELECT reason_code AS code, order_id FROM referral_requests
         WHERE shop = ${shop} AND stage = 'attention' AND reason_code IS NOT NULL
         ORDER BY order_paid_at DESC, order_id DESC LIMIT ${limit})
        UNION ALL
        (SELECT reason_code, order_id FROM orders
         WHERE shop = ${shop} AND reason_code IS NOT NULL
         ORDER BY paid_at DESC, order_id DESC LIMIT ${limit})
      ) newest GROUP BY code ORDER BY count DESC, code`,
  );
}
