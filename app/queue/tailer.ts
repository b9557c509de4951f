import type { Pool } from "pg";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/**
 * Regularly asks for every connection's list to be looked through, for attempts whose sender fell silent to be
 * resolved, and for requests and batches to be taken up again whose job was given up. All are ordinary jobs: two processes
 * asking at once get one, and a job that is not due does nothing.
 */
export function startTailer(pool: Pool, loop: Loop, intervalMs: number): { stop(): void } {
  const everyMs = Math.max(intervalMs, 1000);
  return regularly(loop, { firstMs: everyMs, everyMs }, () =>
    pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload)
         SELECT c.shop, 'tail-connection', c.shop || ' ' || c.environment,
                jsonb_build_object('shop', c.shop, 'environment', c.environment)
         FROM connections c JOIN shops s ON s.shop = c.shop AND s.uninstalled_at IS NULL
         UNION ALL
         SELECT r.shop, 'withdraw-referrals', r.shop || ' ' || r.id,
                jsonb_build_object('shop', r.shop, 'requestId', r.id)
         FROM referral_requests r JOIN shops s ON s.shop = r.shop AND s.uninstalled_at IS NULL
         WHERE r.withdrawn_by IS NOT NULL AND r.state = 'created'
         UNION ALL
         SELECT p.shop, 'correct-referrals', p.shop || ' ' || p.request_id,
                jsonb_build_object('shop', p.shop, 'requestId', p.request_id)
         FROM patient_corrections p JOIN shops s ON s.shop = p.shop AND s.uninstalled_at IS NULL
         WHERE p.state = 'pending'
         UNION ALL
         SELECT b.shop, 'work-batch', b.shop || ' ' || b.id,
                jsonb_build_object('shop', b.shop, 'batchId', b.id)
         FROM batches b JOIN shops s ON s.shop = b.shop AND s.uninstalled_at IS NULL
         WHERE b.state IN ('collecting', 'running')
         UNION ALL
         SELECT r.shop, CASE r.state WHEN 'ready' THEN 'create-referral' ELSE 'resolve-ambiguous' END,
                r.shop || ' ' || r.id, jsonb_build_object('shop', r.shop, 'requestId', r.id)
         FROM referral_requests r JOIN shops s ON s.shop = r.shop AND s.uninstalled_at IS NULL
         WHERE (r.attention IS NULL OR r.state = 'ambiguous' AND r.attention LIKE 'unresolved:%') AND (
           r.state = 'sending' AND r.attempt_deadline_at < now() - interval '10 seconds'
           OR r.state IN ('ready', 'ambiguous') AND r.updated_at < now() - interval '1 hour')`,
    ),
  );
}
