import type { Db, PgBoss } from "pg-boss";

/** A job that this process has, until it is settled or given back. */
export interface Claimed {
  id: string;
  data: unknown;
  retryCount: number;
  groupId?: string | null;
}

/**
 * Claims jobs. By a unique index pg-boss keeps two jobs with one key from running at the same time. A claim that meets it
 * comes back empty, whatever else it would have taken, so one resource that is slow to be fetched would stop its whole
 * queue. Such jobs are therefore put off for a moment, and the claim is made again.
 */
export async function claimJobs(
  { name, boss, db }: { name: string; boss: PgBoss; db: Db },
  wish: { batchSize: number; ignoreGroups: string[] },
): Promise<{ jobs: Claimed[]; conflict: boolean }> {
  let conflict = false;
  const watched: Db = {
    async executeSql(text, values) {
      try {
        return await db.executeSql(text, values);
      } catch (error) {
        if (isUniqueViolation(error)) conflict = true;
        throw error;
      }
    },
  };
  const jobs = await boss.fetch(name, { ...wish, groupConcurrency: NO_LIMIT, db: watched });
  if (conflict) await db.executeSql(PUT_OFF, [name]);
  return { jobs, conflict };
}

/**
 * A limit that limits nothing, but makes pg-boss look its candidates up by their ids. Its other form of claim is
 * a join that the planner, whose statistics are always old for a queue, now and then runs once for every row.
 */
const NO_LIMIT = 1_000_000;

const PUT_OFF = `
  UPDATE pgboss.job SET start_after = now() + interval '1 second'
  WHERE name = $1 AND state < 'active' AND start_after <= now() AND singleton_key IN
    (SELECT singleton_key FROM pgboss.job WHERE name = $1 AND state = 'active')`;

const isUniqueViolation = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "23505";
