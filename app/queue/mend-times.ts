import type { Db } from "pg-boss";

/**
 * Mends the times that were written while the database's clock was ahead, once it was set back. Otherwise a dead worker's
 * job would count as alive for as long as the clock was ahead, and pg-boss would look after no queue. A job that waits for
 * a second or a minute would sleep for days, and swallow all work of its key that is asked for meanwhile.
 *
 * A job that waits for longer than a few minutes beside others of its key, such as a reminder, keeps the time that it was
 * given: it may be a day of its own. Writes nothing while no time is wrong. What somebody has locked is left to the next
 * housekeeping.
 */
export async function mendTimes(db: Db, names: readonly string[]): Promise<void> {
  for (const statement of [QUEUES, ACTIVE_JOBS, WAITING_JOBS])
    await db.executeSql(statement, [names]);
}

/** Lets jobs that have run for too long begin their time anew: the clock may have leapt over it. */
export async function forgiveLeap(db: Db, names: readonly string[]): Promise<void> {
  await db.executeSql(BEGIN_ANEW, [names]);
}

const AHEAD = "now() + interval '5 seconds'";

const QUEUES = `
  UPDATE pgboss.queue SET monitor_claim_on = least(monitor_claim_on, now() - interval '1 minute'),
                          maintain_on = least(maintain_on, now())
  WHERE name IN (SELECT name FROM pgboss.queue
                 WHERE name = ANY($1) AND greatest(monitor_claim_on, maintain_on) > ${AHEAD}
                 ORDER BY name FOR NO KEY UPDATE SKIP LOCKED)`;

const ACTIVE_JOBS = `
  UPDATE pgboss.job j SET heartbeat_on = least(j.heartbeat_on, now()), started_on = least(j.started_on, now())
  FROM (SELECT name, id FROM pgboss.job
        WHERE name = ANY($1) AND state = 'active' AND policy = 'stately' AND greatest(heartbeat_on, started_on) > ${AHEAD}
        FOR NO KEY UPDATE SKIP LOCKED) AS wrong
  WHERE j.name = wrong.name AND j.id = wrong.id`;

/** A job that has failed never waits for longer than its queue allows. Keys that end in a time are of work that waits for it. */
const WAITING_JOBS = `
  UPDATE pgboss.job j SET
    start_after = CASE
      WHEN j.state = 'retry' THEN least(j.start_after, now())
      WHEN j.singleton_key !~ '@[0-9]+$' OR j.start_after - j.created_on < interval '15 minutes'
        THEN j.start_after - (j.created_on - now())
      ELSE j.start_after END,
    created_on = least(j.created_on, now())
  FROM (SELECT name, id FROM pgboss.job
        WHERE name = ANY($1) AND NOT blocked
          AND (state = 'created' AND created_on > ${AHEAD}
               OR state = 'retry' AND start_after > now() + (retry_delay_max + 60) * interval '1 second')
        FOR NO KEY UPDATE SKIP LOCKED) AS wrong
  WHERE j.name = wrong.name AND j.id = wrong.id`;

const BEGIN_ANEW = `
  UPDATE pgboss.job j SET started_on = now()
  FROM (SELECT name, id FROM pgboss.job
        WHERE name = ANY($1) AND state = 'active' AND policy = 'stately' AND started_on + expire_seconds * interval '1 second' < now()
        FOR NO KEY UPDATE SKIP LOCKED) AS over
  WHERE j.name = over.name AND j.id = over.id`;
