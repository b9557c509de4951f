import type { Pool } from "pg";
import { readBacklog } from "../modules/reports/postgres/work-health.ts";
import { checkGrants, checkSchema } from "../platform/database/check-access.ts";
import { isDatabaseAway } from "../platform/database/database-away.ts";
import { takesNoWrites, takesWrites } from "../platform/database/takes-writes.ts";
import { DatabaseNotWritable } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { regularly } from "./regularly.ts";
import type { UnreadyReason, Vitals } from "./vitals.ts";

const READINESS_EVERY_MS = 5_000;
/** The relay moves rows within a second; the rest is for a burst. */
const LATE_SECONDS = 120;

const LOOKS = [
  "tenant_refused",
  "schema_unknown",
  "access_changed",
  "relay_late",
  "intake",
] as const;
type Look = (typeof LOOKS)[number];

export interface ReadinessOptions {
  /** The process's own connections. */
  pool: Pool;
  /** Those of the messages that come in, where this process takes them. */
  intakePool?: Pool | undefined;
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
  const { pool, intakePool, tryTenant, vitals, logger, everyMs = READINESS_EVERY_MS } = options;
  /** Of each look that does not go well, why. */
  const found = new Map<Look, UnreadyReason>();

  /** One look that fails says that its own reason holds, unless it got no connection or no answer; the log has it once. */
  async function look(what: Look, well: () => Promise<unknown>): Promise<void> {
    try {
      await well();
      found.delete(what);
    } catch (error) {
      const reason = reasonOf(error) ?? (what === "intake" ? "database_unreachable" : what);
      if (!found.has(what)) logger.error({ err: error, reason }, "this process is not ready");
      found.set(what, reason);
    }
  }
  // Side by side: one after the other, each might wait for a frozen connection of its own until it runs out of time.
  const turn = async () => {
    const [backlog] = await Promise.all([
      readBacklog(pool),
      look("tenant_refused", tryTenant),
      look("schema_unknown", () => checkSchema(pool)),
      look("access_changed", () => checkGrants(pool)),
      intakePool && look("intake", () => tryIntake(intakePool)),
    ]);
    const ageSeconds = Math.max(backlog.outboxAgeSeconds, backlog.inboxAgeSeconds);
    if (ageSeconds > LATE_SECONDS) found.set("relay_late", "relay_late");
    else found.delete("relay_late");
  };
  for (const what of LOOKS) vitals.watch(() => found.get(what) ?? null);
  const loop = vitals.loop("readiness", everyMs);
  return regularly(loop, { firstMs: everyMs, everyMs }, turn);
}

/** Why a look failed whatever it looked at; null when it is about what it looked at. */
function reasonOf(error: unknown): UnreadyReason | null {
  if (takesNoWrites(error)) return "database_takes_no_writes";
  return isDatabaseAway(error) ? "database_unreachable" : null;
}

/**
 * The intake logs in by itself, so that all else may be well while no message can be stored. Messages that are being stored tell
 * it themselves, and have the connections: nobody waits for one here.
 */
async function tryIntake(pool: Pool): Promise<void> {
  if (pool.totalCount > pool.idleCount) return;
  if (!(await takesWrites(pool))) throw new DatabaseNotWritable();
}
