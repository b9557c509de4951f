import { randomUUID } from "node:crypto";
import type pg from "pg";

export interface ListedReferral {
  uuid: string;
  createdAt: string;
  updatedAt: string;
}

/**
 * Writes referrals of the service, with a created request for each, into the app's tables, as its own earlier
 * fetches left them. Triggers and foreign keys are off meanwhile: what they keep is nothing that a walk reads.
 */
export async function storeReferrals(
  pool: pg.Pool,
  shop: string,
  referrals: ListedReferral[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    for (let from = 0; from < referrals.length; from += 10_000) {
      const some = referrals.slice(from, from + 10_000);
      const values = [
        shop,
        some.map(({ uuid }) => uuid),
        some.map(() => randomUUID()),
        some.map(({ createdAt }) => createdAt),
        some.map(({ updatedAt }) => updatedAt),
        from,
      ];
      await client.query(
        `WITH listed AS (
           SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[])
             WITH ORDINALITY AS l(uuid, request_id, created_at, updated_at, n)
         ), requests AS (
           INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit, reference_number, title,
             tests, medicare_tests, state, created_at, updated_at)
           SELECT $1, request_id, 'staging', 'gid://shopify/Order/' || ($6 + n), 'gid://shopify/LineItem/1', 1,
             'BENCH-' || ($6 + n), 'Iron studies', '{iron}', '{}', 'created', created_at, created_at
           FROM listed
         )
         INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin, snapshot_sealed,
           service_created_at, service_updated_at, fetched_at)
         SELECT $1, uuid, 'staging', request_id, 'ISSUED', '', 'STORE_INTEGRATION', '\\x00', created_at, updated_at, now()
         FROM listed`,
        values,
      );
    }
    await client.query("COMMIT");
    await client.query("ANALYZE");
  } finally {
    client.release();
  }
}
