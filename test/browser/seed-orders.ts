import { z } from "zod";
import type { TestWorld } from "../harness/index.ts";

/**
 * Writes orders of every kind straight into the app's tables, with where each stands: #9001 to #9000 + `count`, one an hour,
 * the newest an hour old. Every eighth was refused, every eighth is held, some wait, and most are under way for weeks: the
 * service knows none of their referrals, and forms are looked for in the first thirty days only, so that they stay as they are.
 */
export async function seedOrders({ sql, line }: TestWorld, count: number): Promise<void> {
  const { shop } = line.store;
  const run = (statement: string) => sql.rows(z.unknown(), statement, [shop, count]);
  await run(`
    INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at, test, order_mode, review_code, reason_code)
    SELECT $1, 'gid://shopify/Order/' || (9000 + i), '#' || (9000 + i),
           now() - ($2::int - i + 1) * interval '5 hours', now(), now(), i % 10 = 9,
           CASE WHEN i % 10 = 9 THEN 'test' ELSE 'staging' END, why, why
    FROM generate_series(1, $2::int) AS i, LATERAL (SELECT CASE WHEN i % 20 = 4 THEN 'unmapped_line' END) AS w (why)`);
  await run(`
    INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit, reference_number, title,
      tests, medicare_tests, state, review_code, review_detail, order_mode, order_paid_at, created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'staging', 'gid://shopify/Order/' || (9000 + i), 'gid://shopify/LineItem/1', unit,
           'SEED-' || (9000 + i) || CASE unit WHEN 1 THEN '' ELSE '-' || unit END, 'Iron studies',
           (SELECT ARRAY[tests->0->>'id'] FROM catalogues WHERE shop = $1 LIMIT 1), '{}',
           CASE i % 8 WHEN 2 THEN 'rejected' WHEN 5 THEN 'held' WHEN 6 THEN 'awaiting_details' ELSE 'created' END,
           CASE i % 8 WHEN 2 THEN 'rejected' END, CASE i % 8 WHEN 2 THEN 'INVALID_PAYLOAD' END,
           CASE WHEN i % 10 = 9 THEN 'test' ELSE 'staging' END,
           now() - ($2::int - i + 1) * interval '5 hours', now() - interval '40 days', now()
    FROM generate_series(1, $2::int) AS i, generate_series(1, 1 + (i % 3 = 0)::int) AS unit`);
  await run(`
    INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin, snapshot_sealed,
      service_created_at, service_updated_at, fetched_at)
    SELECT r.shop, gen_random_uuid(), 'staging', r.id, CASE WHEN $2::int % 2 = right(r.order_id, 1)::int % 2
             THEN 'COMPLETE' ELSE 'ISSUED' END, '12345678', 'STORE_INTEGRATION', '',
           r.order_paid_at - interval '40 days', now(), now()
    FROM referral_requests r WHERE r.shop = $1 AND r.state = 'created' AND r.reference_number LIKE 'SEED%'`);
  await sql.rows(
    z.unknown(),
    `UPDATE referral_requests r SET
       reason_code = coalesce(r.review_code, CASE r.state WHEN 'held' THEN 'held' END),
       reason_detail = r.review_detail,
       stage = CASE WHEN r.state IN ('rejected', 'held') THEN 'attention'
                    WHEN r.state = 'awaiting_details' THEN 'awaiting_details'
                    WHEN f.status = 'COMPLETE' THEN 'results_ready' ELSE 'in_progress' END
     FROM referral_requests r2 LEFT JOIN referrals f ON f.shop = r2.shop AND f.request_id = r2.id
     WHERE r.shop = $1 AND r.reference_number LIKE 'SEED%' AND r2.shop = r.shop AND r2.id = r.id`,
    [shop],
  );
}
