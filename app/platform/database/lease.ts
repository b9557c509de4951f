import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "../logger.ts";
import { tolerate } from "../tolerate.ts";

/** A holder that died keeps others waiting for so long; one that lives says so three times meanwhile. */
const LEASE_MS = 12_000;
const RENEW_MS = 4_000;
const TIMEOUT_MS = 60_000;
const LOOK_AGAIN_MS = 40;
const MAX_WAIT_MS = 500;

export interface LeasePorts {
  pool: Pool;
  logger: Logger;
  /** Milliseconds that only go forward, by this process's own measure. */
  monotonicMs?: () => number;
}

/**
 * Runs work while no other process has the lease of this name. The lease is a row that ends by itself, not a lock that
 * belongs to a connection. So nothing of the database is occupied meanwhile: however long the work takes and however many
 * there are, everybody else has the whole pool. Work that stalls past its lease may meet a second holder, and has to notice
 * that when it writes. Throws when the lease cannot be had for a minute.
 */
export async function withLease<T>(
  { pool, logger, monotonicMs = () => performance.now() }: LeasePorts,
  lease: { shop: string; name: string },
  work: () => Promise<T>,
): Promise<T> {
  const key = [lease.shop, lease.name, randomUUID()];
  await obtain(pool, key, monotonicMs);
  const renewal = setInterval(() => {
    // A failed renewal is followed by another before the lease ends.
    pool.query(RENEW, [...key, LEASE_MS]).catch(tolerate(logger, "lease.renew"));
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // Should this fail, the lease ends by itself.
    await pool.query(RELEASE, key).catch(tolerate(logger, "lease.release"));
  }
}

async function obtain(pool: Pool, key: string[], monotonicMs: () => number): Promise<void> {
  const since = monotonicMs();
  let waitedMs = 0;
  for (let waitMs = LOOK_AGAIN_MS; ; waitMs = Math.min(waitMs * 1.5, MAX_WAIT_MS)) {
    // A holder that lives has renewed its lease meanwhile, by the clock as it is now.
    const { rowCount } = await pool.query(OBTAIN, [...key, LEASE_MS, waitedMs > LEASE_MS]);
    if (rowCount) return;
    waitedMs = monotonicMs() - since;
    if (waitedMs > TIMEOUT_MS) throw new Error(`The lease "${key[1]}" was not to be had`);
    await delay(waitMs * (0.5 + Math.random()));
  }
}

/** A lease that lasts longer than any can was left before the clock was set back: its end would be that much later. */
const OBTAIN = `
  INSERT INTO leases (shop, name, holder, expires_at)
  VALUES ($1, $2, $3, now() + $4 * interval '1 ms')
  ON CONFLICT (shop, name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE leases.expires_at < now() OR ($5 AND leases.expires_at > now() + $4 * interval '1 ms')`;
const RENEW = `
  UPDATE leases SET expires_at = now() + $4 * interval '1 ms'
  WHERE shop = $1 AND name = $2 AND holder = $3`;
const RELEASE = "DELETE FROM leases WHERE shop = $1 AND name = $2 AND holder = $3";
