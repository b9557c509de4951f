import type { Db } from "pg-boss";

/** Lets jobs that have run for too long begin their time anew: the clock may have leapt over it. */
export async function forgiveLeap(db: Db, names: readonly string[]): Promise<void> {
  await db.executeSql(BEGIN_ANEW, [names]);
}

const BEGIN_ANEW = `
  UPDATE pgboss.job j SET started_on = now()
  FROM (SELECT name, id FROM pgboss.job
        WHERE name = ANY($1) AND state = 'active' AND policy = 'stately' AND started_on + expire_seconds * interval '1 second' < now()
        FOR NO KEY UPDATE SKIP LOCKED) AS over
  WHERE j.name = over.name AND j.id = over.id`;
