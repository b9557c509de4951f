import type { Pool } from "pg";

/**
 * Regularly asks for every connection's list to be looked through, and for attempts whose sender fell silent
 * to be resolved. Both are ordinary jobs: two processes asking at once get one.
 */
export function startTailer(pool: Pool, intervalMs: number): { stop(): void } {
  const ask = () =>
    pool
      .query(
        `INSERT INTO outbox (shop, name, singleton_key, payload)
         SELECT c.shop, 'tail-connection', c.shop || ' ' || c.environment,
                jsonb_build_object('shop', c.shop, 'environment', c.environment)
         FROM connections c JOIN shops s ON s.shop = c.shop AND s.uninstalled_at IS NULL
         UNION ALL
         SELECT r.shop, 'resolve-ambiguous', r.shop || ' ' || r.id,
                jsonb_build_object('shop', r.shop, 'requestId', r.id)
         FROM referral_requests r JOIN shops s ON s.shop = r.shop AND s.uninstalled_at IS NULL
         WHERE r.state = 'sending' AND r.attempt_deadline_at < now() - interval '5 seconds'`,
      )
      // Asked again at the next turn.
      .catch(() => {});
  const timer = setInterval(ask, Math.max(intervalMs, 1000));
  return { stop: () => clearInterval(timer) };
}
