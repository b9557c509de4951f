import type { Pool } from "pg";
import { removeGoneProcesses } from "../modules/reports/postgres/work-health.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** Soon after the start too, so that a process that is often replaced tends its shops all the same. */
const FIRST_MS = 10_000;

/**
 * Regularly asks for every installed shop to be looked after, and every other that has an open privacy request. Two
 * processes asking at once get one job, and what is not due does nothing.
 */
export function startMaintenance(pool: Pool, loop: Loop, intervalMs: number): { stop(): void } {
  const times = { firstMs: Math.min(FIRST_MS, intervalMs), everyMs: Math.max(intervalMs, 1000) };
  return regularly(loop, times, async () => {
    await pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload)
       SELECT shop, 'maintain-shop', shop, jsonb_build_object('shop', shop) FROM (
         SELECT shop FROM shops WHERE uninstalled_at IS NULL
         UNION SELECT shop FROM privacy_requests WHERE done_at IS NULL
       ) AS due`,
    );
    await removeGoneProcesses(pool);
  });
}
