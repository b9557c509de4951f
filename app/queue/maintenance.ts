import type { Pool } from "pg";
import { removeGoneProcesses } from "../modules/reports/postgres/work-health.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** Soon after the start too, so that the shops of a process that is often replaced have their turn all the same. */
const FIRST_MS = 10_000;

/**
 * Regularly asks for the maintenance of every shop. A shop that has left keeps its retention until it is erased, which a
 * lost or refused message can put off for ever. A shop that never installed the app may have sent messages. Two processes
 * that ask at once get one job, and a job that is not due does nothing.
 */
export function startMaintenance(pool: Pool, loop: Loop, intervalMs: number): { stop(): void } {
  const times = { firstMs: Math.min(FIRST_MS, intervalMs), everyMs: Math.max(intervalMs, 1000) };
  return regularly(loop, times, async () => {
    await pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload)
       SELECT shop, 'maintain-shop', shop, jsonb_build_object('shop', shop) FROM (
         SELECT shop FROM shops
         UNION SELECT shop FROM privacy_requests WHERE done_at IS NULL
         UNION SELECT k.shop FROM key_epochs k
           WHERE NOT EXISTS (SELECT FROM shops s WHERE s.shop = k.shop)
             AND EXISTS (SELECT FROM inbox i WHERE i.shop = k.shop AND i.received_at < now() - interval '90 days')
       ) AS due`,
    );
    await removeGoneProcesses(pool);
  });
}
