import type { Db, PgBoss } from "pg-boss";
import { HEARTBEAT_MS } from "./job-runner.ts";
import { forgiveLeap, mendTimes } from "./mend-times.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** With the missed heartbeats before it and the first retry after it, a dead worker's job is taken over within 15 s. */
export const LOOK_FOR_OVERDUE_MS = 2_000;
/** After a time without the database, or one that its clock leapt over, no worker has been able to say that it is alive. */
const GAP_MS = 5_000;
/** By then each worker that is alive has said so. */
const PATIENCE_MS = 2 * HEARTBEAT_MS;

/**
 * The queues of which a job is active that has missed its heartbeats, or has run for too long: reads one index. And whether
 * pg-boss's housekeeping is due, at its own pace of a minute, whichever process did it last: one that never lives for a minute
 * does it as well.
 */
const LOOK = `
  SELECT ARRAY(SELECT DISTINCT name FROM pgboss.job
               WHERE name = ANY($1) AND state = 'active' AND policy = 'stately'
                 AND least(heartbeat_on + heartbeat_seconds * interval '1 second',
                           started_on + expire_seconds * interval '1 second') < now()) AS overdue,
         EXISTS (SELECT FROM pgboss.queue
                 WHERE name = ANY($1) AND coalesce(monitor_claim_on, '-infinity')
                   NOT BETWEEN now() - interval '1 minute' AND now() + interval '5 seconds') AS "isDue",
         extract(epoch FROM clock_timestamp())::float8 * 1000 AS "timeMs"`;

interface Seen {
  overdue: string[];
  isDue: boolean;
  timeMs: number;
}

/**
 * pg-boss notes which keys are active while it counts, and claims no job with one of these until it counts again. A claim
 * that meets one puts it off for a second anyway (`claim-jobs.ts`). A row that somebody counts at that moment is left to the next turn.
 */
const FORGET_ACTIVE_KEYS = `
  UPDATE pgboss.queue SET singletons_active = NULL WHERE name IN
    (SELECT name FROM pgboss.queue WHERE singletons_active IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED)`;

/**
 * Has pg-boss look after its queues: at once after a job is overdue, and otherwise each minute. By itself it would have to do that
 * every two seconds, and writes to each queue's row every time, whether anything happens or not (docs/decisions/0153).
 */
export function superviseQueues(options: {
  boss: PgBoss;
  db: Db;
  names: readonly string[];
  loop: Loop;
  everyMs?: number;
}): { stop(): Promise<void> } {
  const { boss, db, names, loop, everyMs = LOOK_FOR_OVERDUE_MS } = options;
  const watch = watchForGaps();
  const turn = async () => {
    const [seen] = (await db.executeSql(LOOK, [names])).rows as [Seen];
    const { gainedMs, mustWait } = watch.look(seen.timeMs);
    if (mustWait) await forgiveLeap(db, names);
    // Before anything goes by these times.
    if (seen.isDue || gainedMs < -GAP_MS) await mendTimes(db, names);
    const due = seen.isDue ? [undefined] : seen.overdue;
    // One queue that fails keeps no dead worker's job in another.
    const ends = await Promise.allSettled(
      (mustWait ? [] : due).map((name) => boss.supervise(name)),
    );
    await db.executeSql(FORGET_ACTIVE_KEYS);
    watch.wrote();
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  };
  return regularly(loop, { firstMs: 0, everyMs }, turn);
}

/** Finds out when workers that are alive may seem dead: they could not write that they are, or the clock leapt over it. */
function watchForGaps() {
  let wroteAt: number | null = null;
  let last: { at: number; timeMs: number } | null = null;
  let waitsUntil: number | null = null;
  return {
    /** `gainedMs`: by how much the database's clock leapt since the last look. */
    look(timeMs: number): { gainedMs: number; mustWait: boolean } {
      const at = performance.now();
      const gainedMs = last === null ? 0 : timeMs - last.timeMs - (at - last.at);
      last = { at, timeMs };
      const isGap = gainedMs > GAP_MS || (wroteAt !== null && at - wroteAt > GAP_MS);
      // Gaps that follow each other put nothing off for ever.
      if (isGap) waitsUntil ??= at + PATIENCE_MS;
      const mustWait = waitsUntil !== null && at < waitsUntil;
      if (!mustWait) waitsUntil = null;
      return { gainedMs, mustWait };
    },
    /** The database takes writes: a standby is read, and takes none. */
    wrote() {
      wroteAt = performance.now();
    },
  };
}
