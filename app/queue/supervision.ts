import type { Db, PgBoss } from "pg-boss";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** With the missed heartbeats before it and the first retry after it, a dead worker's job is taken over within 15 s. */
export const LOOK_FOR_OVERDUE_MS = 2_000;

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
                   < now() - interval '1 minute') AS "isDue"`;

interface Seen {
  overdue: string[];
  isDue: boolean;
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
}): { stop(): void } {
  const { boss, db, names, loop, everyMs = LOOK_FOR_OVERDUE_MS } = options;
  const turn = async () => {
    const [seen] = (await db.executeSql(LOOK, [names])).rows as [Seen];
    const due = seen.isDue ? [undefined] : seen.overdue;
    // One queue that fails keeps no dead worker's job in another.
    const ends = await Promise.allSettled(due.map((name) => boss.supervise(name)));
    await db.executeSql(FORGET_ACTIVE_KEYS);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  };
  return regularly(loop, { firstMs: 0, everyMs }, turn);
}
