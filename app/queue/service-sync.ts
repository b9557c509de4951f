import type { Pool } from "pg";
import { keyOf } from "../jobs/definitions.ts";
import { readStalledWork, STALLED_WORK } from "../modules/referrals/postgres/stalled-work.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/**
 * Regularly asks for the work that no message starts: the comparison of every connection's lists, the mails of an outage
 * and of its end, the mails of orders that came to need a person, batches that are not at their end, and work on requests
 * that stands still (`STALLED_WORK`). All are ordinary jobs: two processes that ask at once get one, and a job that is not
 * due does nothing.
 */
export function startServiceSync(pool: Pool, loop: Loop, intervalMs: number): { stop(): void } {
  const everyMs = Math.max(intervalMs, 1000);
  return regularly(loop, { firstMs: everyMs, everyMs }, async () => {
    await pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload)
         SELECT c.shop, 'sync-connection', c.shop || ' ' || c.environment,
                jsonb_build_object('shop', c.shop, 'environment', c.environment)
         FROM connections c JOIN shops s ON s.shop = c.shop AND s.uninstalled_at IS NULL
         UNION ALL
         SELECT c.shop, 'alert-outage', c.shop || ' ' || c.environment,
                jsonb_build_object('shop', c.shop, 'environment', c.environment)
         FROM connections c JOIN shops s ON s.shop = c.shop AND s.uninstalled_at IS NULL
         WHERE (c.failing_since IS NULL) <> (c.outage_told_since IS NULL)
         UNION ALL
         SELECT DISTINCT n.shop, 'alert-attention', n.shop, jsonb_build_object('shop', n.shop)
         FROM attention_news n JOIN shops s ON s.shop = n.shop AND s.uninstalled_at IS NULL
         UNION ALL
         SELECT b.shop, 'work-batch', b.shop || ' ' || b.id,
                jsonb_build_object('shop', b.shop, 'batchId', b.id)
         FROM batches b JOIN shops s ON s.shop = b.shop AND s.uninstalled_at IS NULL
         WHERE b.state IN ('collecting', 'running')`,
    );
    const { rows } = await pool.query(STALLED_WORK, [null, null, false, false]);
    const jobs = readStalledWork(rows);
    if (jobs.length === 0) return;
    await pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])`,
      [
        jobs.map(({ shop }) => shop),
        jobs.map(({ name }) => name),
        jobs.map((job) => keyOf(job)),
        jobs.map(({ name: _, ...payload }) => payload),
      ],
    );
  });
}
