import { z } from "zod";
import type { Scope } from "../../../../platform/database/scope.ts";
import { gid } from "../../../kernel/ids.ts";
import { ENVIRONMENTS } from "../../../shops/connection.ts";
import type { AgeingReferral } from "../../home-figures.ts";

const orderId = z.string().transform((value) => gid("Order", value));

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
