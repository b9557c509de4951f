import pg from "pg";

/**
 * Writes a shop's orders by the million, with where each stands: two years of orders, of which some wait, some are under
 * way, a few need somebody, and most are long done. Every status is spread over all of the time, so that each filter has
 * a deep page.
 */
export async function fillShop(databaseUrl: string, shop: string, orders: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET synchronous_commit = off");
    await client.query("SET maintenance_work_mem = '256MB'");
    // Built at once afterwards, which is many times faster than row by row.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
    for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`);
    for (const [text, values] of [
      [ORDERS, [shop, orders]],
      ["ANALYZE orders", []],
      [REQUESTS, [shop, orders]],
      ["ANALYZE referral_requests", []],
      [REFERRALS, [shop]],
    ] as const)
      await client.query(text, [...values]);
    for (const { definition } of indexes) await client.query(definition);
    await client.query("VACUUM ANALYZE orders, referral_requests, referrals");
  } finally {
    await client.end();
  }
}

const INDEXES = `
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes
  WHERE tablename IN ('orders', 'referral_requests', 'referrals') AND indexname NOT LIKE '%_pkey'`;

const ORDERS = `
  INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at, test, order_mode, review_code, reason_code, indexed)
  SELECT $1, 'gid://shopify/Order/' || (5000000000 + i), '#' || (100000 + i), paid, paid, paid,
         i % 50 = 7,
         CASE WHEN i % 50 = 7 THEN 'test' WHEN i % 10 = 1 THEN 'staging' ELSE 'production' END,
         why, why, true
  FROM (
    SELECT i, now() - ($2::int - i) * interval '63 seconds' AS paid,
           CASE WHEN i % 997 = 3 THEN 'unmapped_line' END AS why
    FROM generate_series(1, $2::int) AS i
  ) made`;

/** One request for most orders, three for every tenth. */
const REQUESTS = `
  INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit, reference_number, title,
    tests, medicare_tests, state, review_code, review_detail, stage,
    reason_code, reason_detail, order_mode, order_paid_at, created_at, updated_at)
  SELECT shop, gen_random_uuid(), CASE order_mode WHEN 'production' THEN 'production' ELSE 'staging' END, order_id,
         'gid://shopify/LineItem/' || i, unit, 'PW' || i || '-' || unit, 'Iron studies', '{fbc}', '{}',
         CASE WHEN kind < 3 THEN 'rejected' WHEN kind < 30 THEN 'awaiting_details'
              WHEN kind < 45 THEN 'cancelled' ELSE 'created' END,
         CASE WHEN kind < 3 THEN 'rejected' END, CASE WHEN kind < 3 THEN 'INVALID_PAYLOAD' END,
         CASE WHEN kind < 3 THEN 'attention' WHEN kind < 30 THEN 'awaiting_details'
              WHEN kind < 45 THEN 'cancelled' WHEN kind < 150 THEN 'in_progress' ELSE 'results_ready' END,
         CASE WHEN kind < 3 THEN 'rejected' END, CASE WHEN kind < 3 THEN 'INVALID_PAYLOAD' END,
         order_mode, paid_at, paid_at, paid_at
  FROM (
    SELECT o.*, right(o.order_id, 10)::bigint - 5000000000 AS i, unit,
           abs(hashtext(o.order_id || unit)) % 1000 AS kind
    FROM orders o, generate_series(1, CASE WHEN right(o.order_id, 1) = '0' THEN 3 ELSE 1 END) AS unit
    WHERE o.shop = $1 AND o.order_id LIKE 'gid://shopify/Order/5%' AND length(o.order_id) = 30
  ) made
  WHERE i BETWEEN 1 AND $2::int`;

const REFERRALS = `
  INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin, result_uuid,
    snapshot_sealed, service_created_at, service_updated_at, fetched_at)
  SELECT shop, gen_random_uuid(), environment, id,
         CASE stage WHEN 'results_ready' THEN 'COMPLETE' ELSE 'ISSUED' END,
         lpad((abs(hashtext(id::text)) % 100000000)::text, 8, '0'), 'STORE_INTEGRATION',
         CASE stage WHEN 'results_ready' THEN gen_random_uuid() END,
         '', order_paid_at, order_paid_at, order_paid_at
  FROM referral_requests WHERE shop = $1 AND state = 'created'`;
