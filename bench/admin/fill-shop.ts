import { createHash } from "node:crypto";
import pg from "pg";

const FIRST_NAMES = 40;
const LAST_NAMES = 2_000;
const range = (length: number, name: (index: number) => string) =>
  Array.from({ length }, (_, i) => name(i));
/** Orders are found by two products, forty first names and two thousand last names, and names in pairs. */
const WORDS = [
  ...["iron", "vitamin"],
  ...range(FIRST_NAMES, (i) => `first${i}`),
  ...range(LAST_NAMES, (i) => `last${i}`),
  // Only the pairs that exist: the first name goes with the last.
  ...range(LAST_NAMES, (i) => `first${i % FIRST_NAMES} last${i}`),
];

/** Stands for the app's own hash of a word, whose key only the app has. */
export const hashWord = (word: string): Buffer => createHash("sha256").update(word).digest();

/**
 * Writes a shop's orders by the million, with where each stands: two years of orders, of which some wait, some are under
 * way, a few need somebody, and most are long done. Every status is spread over all of the time, so that each filter has
 * a deep page.
 */
export async function fillShop(databaseUrl: string, shop: string, orders: number): Promise<void> {
  const words = WORDS.map((word) => [word, hashWord(word)] as const);
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
      [ORDER_WORDS, [shop, words.map(([word]) => word), words.map(([, hash]) => hash)]],
    ] as const)
      await client.query(text, [...values]);
    for (const { definition } of indexes) await client.query(definition);
    await client.query("VACUUM ANALYZE orders, referral_requests, referrals, order_words");
  } finally {
    await client.end();
  }
}

const INDEXES = `
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes
  WHERE tablename IN ('orders', 'referral_requests', 'referrals', 'order_words') AND indexname NOT LIKE '%_pkey'`;

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

/** Each order's product, the names of its buyer, and both names as a pair. */
const ORDER_WORDS = `
  INSERT INTO order_words (shop, order_id, word, paid_at)
  SELECT $1, made.order_id, substr(hashes.hash, 1, 16), made.paid_at
  FROM (
    SELECT order_id, paid_at, right(order_id, 10)::bigint - 5000000000 AS i,
           abs(hashtext(order_id)) % ${LAST_NAMES} AS last
    FROM orders WHERE shop = $1 AND order_id LIKE 'gid://shopify/Order/5%' AND length(order_id) = 30
  ) made, LATERAL (VALUES
    (CASE WHEN i % 3 = 0 THEN 'vitamin' ELSE 'iron' END), ('first' || last % ${FIRST_NAMES}), ('last' || last),
    ('first' || last % ${FIRST_NAMES} || ' last' || last)
  ) AS named (word) JOIN unnest($2::text[], $3::bytea[]) AS hashes (word, hash) USING (word)`;
