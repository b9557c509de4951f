import type { Pool } from "pg";
import { readBacklog } from "../modules/reports/postgres/work-health.ts";
import { checkGrants, checkSchema } from "../platform/database/check-access.ts";
import { isDatabaseAway } from "../platform/database/database-away.ts";
import type { Logger } from "../platform/logger.ts";
import { regularly } from "./regularly.ts";
import type { UnreadyReason, Vitals } from "./vitals.ts";

const READINESS_EVERY_MS = 5_000;
/** The relay moves rows within a second; the rest is for a burst. */
const LATE_SECONDS = 120;

export interface ReadinessOptions {
  /** The process's own connections. */
  pool: Pool;
  /** Begins a transaction of a shop, reads, and ends it. */
  tryTenant: () => Promise<void>;
  vitals: Pick<Vitals, "loop" | "watch">;
  logger: Logger;
  everyMs?: number;
}

/**
 * Looks again and again whether the database still lets this process work: a tenant's transaction, the grants and policies
 * that were there at the start, the migrations of this version, and a relay that keeps up.
 */
export function watchReadiness(options: ReadinessOptions): { stop(): void } {
  const { pool, tryTenant, vitals, logger, everyMs = READINESS_EVERY_MS } = options;
  const found = new Map<UnreadyReason, boolean>();
  /** Looks for which there was no connection, or no answer. */
  const unanswered = new Set<UnreadyReason>();

  /** One look that fails says that one reason holds, unless nobody answered it; why is in the log, once. */
  async function look(reason: UnreadyReason, well: () => Promise<unknown>): Promise<void> {
    try {
      await well();
      found.set(reason, false);
      unanswered.delete(reason);
    } catch (error) {
      const isAway = isDatabaseAway(error);
      const why = isAway ? "database_unreachable" : reason;
      if (!found.get(reason) && !unanswered.has(reason))
        logger.error({ err: error, reason: why }, "this process is not ready");
      if (isAway) unanswered.add(reason);
      else unanswered.delete(reason);
      found.set(reason, !isAway);
    }
  }
  // Side by side: one after the other, each might wait for a frozen connection of its own until it runs out of time.
  const turn = async () => {
    const [backlog] = await Promise.all([
      readBacklog(pool),
      look("tenant_refused", tryTenant),
      look("schema_unknown", () => checkSchema(pool)),
      look("access_changed", () => checkGrants(pool)),
    ]);
    const ageSeconds = Math.max(backlog.outboxAgeSeconds, backlog.inboxAgeSeconds);
    found.set("relay_late", ageSeconds > LATE_SECONDS);
  };
  for (const reason of [
    "tenant_refused",
    "schema_unknown",
    "access_changed",
    "relay_late",
  ] as const)
    vitals.watch(() => (found.get(reason) ? reason : null));
  vitals.watch(() => (unanswered.size > 0 ? "database_unreachable" : null));
  const loop = vitals.loop("readiness", everyMs);
  return regularly(loop, { firstMs: everyMs, everyMs }, turn);
}
