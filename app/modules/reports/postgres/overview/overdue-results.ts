import { z } from "zod";
import type { Scope } from "../../../../platform/database/scope.ts";
import { gid } from "../../../kernel/ids.ts";
import type { OverdueResults, PublishedMaximum } from "../../home-figures.ts";

const DAY_MS = 86_400_000;

const overdueRows = z.array(
  z.object({
    orderId: z.string().transform((value) => gid("Order", value)),
    orderName: z.string(),
    title: z.string(),
    issuedAt: z.date(),
    publishedDays: z.number(),
    count: z.number(),
  }),
);

/**
 * A referral with a test that publishes no maximum may take as long as it likes. None is awaited of a unit whose data was destroyed,
 * for nothing more of it is stored, nor of one that was taken back: its patient is told not to use the form.
 */
export async function readOverdueResults(
  { tx, shop }: Scope,
  { published, now, limit }: { published: PublishedMaximum[]; now: Date; limit: number },
): Promise<OverdueResults> {
  const fastest = Math.min(...published.map(({ days }) => days ?? Number.POSITIVE_INFINITY));
  const issuedBefore = new Date(now.getTime() - fastest * DAY_MS);
  const rows = overdueRows.parse(
    await tx.$queryRaw`
    WITH published AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(published)}::jsonb)
        AS p(environment text, kind text, id text, days float8)
    ), waiting AS MATERIALIZED (
      SELECT f.uuid, f.environment, f.service_created_at AS issued_at, r.order_id, r.title, r.bundle_id,
             coalesce(r.tests, '{}') || coalesce(r.medicare_tests, '{}') AS tests
      FROM referrals f JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
      WHERE f.shop = ${shop} AND f.status = 'ISSUED' AND f.deleted_at IS NULL AND f.result_uuid IS NULL
        AND r.redacted_at IS NULL AND (r.cancellation_status IS NULL OR r.kept)
        AND f.service_created_at < ${issuedBefore}
    ), slowest AS (
      SELECT uuid, max(days) AS days FROM (
        SELECT uuid, environment, 'test' AS kind, unnest(tests) AS id FROM waiting
        UNION ALL SELECT uuid, environment, 'bundle', bundle_id FROM waiting
      ) ordered
      JOIN published USING (environment, kind, id)
      GROUP BY uuid HAVING NOT bool_or(days IS NULL)
    )
    SELECT w.order_id AS "orderId", o.name AS "orderName", w.title, w.issued_at AS "issuedAt",
           s.days AS "publishedDays", (count(*) OVER ())::int AS count
    FROM slowest s JOIN waiting w USING (uuid)
    JOIN orders o ON o.shop = ${shop} AND o.order_id = w.order_id
    WHERE w.issued_at + make_interval(secs => s.days * 86400) < ${now}
    ORDER BY w.issued_at + make_interval(secs => s.days * 86400) DESC, w.uuid LIMIT ${limit}`,
  );
  return { count: rows[0]?.count ?? 0, latest: rows.map(({ count: _, ...row }) => row) };
}
