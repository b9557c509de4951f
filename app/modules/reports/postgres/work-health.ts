import type { Pool } from "pg";
import type { JobName } from "../jobs.ts";
import {
  type LoopTrouble,
  type ReadWorkHealth,
  type RetriedWork,
  WAITING_LIMIT,
  type WaitingWork,
} from "../work-health.ts";

/** A process beats every 10 s; one that missed two beats is silent. */
const SILENT_MS = 20_000;
/** A process that was silent for so long has gone: others have its work, and maintenance removes its rows. */
const GONE_MS = 60_000;
/** Rows and jobs move within a second; the rest is for a burst. */
const LATE_MS = 15_000;
/** Retries come after 1, 2, 4 and 8 s: what failed so often fails for 7 s at least. */
const RETRIES = 3;

/**
 * Reads whether work moves, in every process and for one shop. Reads as the tables' owner: heartbeats belong to no
 * shop. Of the shop's rows only their number, age, kind and code are read.
 */
export function createWorkHealth(pool: Pool, jobNames: readonly JobName[]): ReadWorkHealth {
  return async (shop) => {
    // One after another: a page must not take several connections of the pool at once.
    const processes = await pool.query<Processes>(PROCESSES, [SILENT_MS]);
    const troubles = await pool.query<LoopTrouble>(TROUBLES, [SILENT_MS, GONE_MS]);
    const waiting = await pool.query<Counted>(WAITING, [shop, LATE_MS, jobNames]);
    const retried = await pool.query<RetriedWork>(RETRIED, [shop, jobNames, RETRIES]);
    const waits = (what: Counted["what"]): WaitingWork | null => {
      const row = waiting.rows.find((one) => one.what === what);
      return row?.since ? { count: row.count, since: row.since } : null;
    };
    const [process] = processes.rows;
    return {
      hasWorker: process?.hasWorker ?? false,
      workerSeenAt: process?.workerSeenAt ?? null,
      clockSkewMs: process?.skewMs ?? 0,
      troubles: troubles.rows,
      messages: waits("messages"),
      handedOn: waits("handedOn"),
      jobs: waits("jobs"),
      retried: retried.rows,
    };
  };
}

/** For how long work of all shops waits. */
export interface Backlog {
  /** The age of the oldest outbox row that was not relayed; 0 when none waits. */
  outboxAgeSeconds: number;
  /** The age of the oldest message that was not looked at; 0 when none waits. */
  inboxAgeSeconds: number;
}

/** Reads for how long work waits, without whose it is. */
export async function readBacklog(pool: Pool): Promise<Backlog> {
  const { rows } = await pool.query<Backlog>(AGES);
  return rows[0] ?? { outboxAgeSeconds: 0, inboxAgeSeconds: 0 };
}

/** Counts the jobs of each kind that are due and were not begun, of all shops. */
export async function countDueJobs(
  pool: Pool,
  jobNames: readonly JobName[],
): Promise<{ kind: string; count: number }[]> {
  return (await pool.query<{ kind: string; count: number }>(DUE, [jobNames])).rows;
}

/**
 * Removes what vanished processes have left. Only workers do this, so that the rows of the last worker tell since when
 * there is none.
 */
export async function removeGoneProcesses(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE FROM loop_heartbeats
     WHERE beat_at NOT BETWEEN now() - $1 * interval '1 ms' AND now() + $1 * interval '1 ms'`,
    [GONE_MS],
  );
}

/** The relay takes rows by their ids, so the lowest one is the oldest. */
const AGES = `
  SELECT coalesce((SELECT extract(epoch FROM now() - created_at) FROM outbox ORDER BY id LIMIT 1), 0)::float8
           AS "outboxAgeSeconds",
         coalesce((SELECT extract(epoch FROM now() - received_at) FROM inbox WHERE state = 'received'
                   ORDER BY id LIMIT 1), 0)::float8 AS "inboxAgeSeconds"`;

const DUE = `
  SELECT kinds.name AS kind,
         (SELECT count(*)::int FROM pgboss.job j
          WHERE j.name = kinds.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now()) AS count
  FROM unnest($1::text[]) AS kinds (name)`;

interface Processes {
  workerSeenAt: Date | null;
  hasWorker: boolean | null;
  skewMs: number | null;
}

interface Counted {
  what: "messages" | "handedOn" | "jobs";
  count: number;
  since: Date | null;
}

/** A beat from the future is of before the clock was set back: whether its process is still there, its next one tells. */
const BEATS = `beat_at BETWEEN now() - $1 * interval '1 ms' AND now() + $1 * interval '1 ms'`;

const PROCESSES = `
  SELECT max(least(beat_at, now())) FILTER (WHERE 'worker' = ANY(roles)) AS "workerSeenAt",
         bool_or('worker' = ANY(roles) AND ${BEATS}) AS "hasWorker",
         (array_agg(clock_skew_ms ORDER BY abs(clock_skew_ms) DESC)
           FILTER (WHERE clock_skew_ms IS NOT NULL AND ${BEATS}))[1] AS "skewMs"
  FROM loop_heartbeats`;

/** Loops that fail for one reason are one trouble: the database's refusal, for example, meets all of them. */
const TROUBLES = `
  SELECT 'fails' AS kind, array_agg(DISTINCT loop ORDER BY loop) AS loops,
         min(failing_since) AS since, error_code AS code
  FROM loop_heartbeats WHERE failures > 0 AND ${BEATS} GROUP BY error_code
  UNION ALL
  SELECT 'hangs', array_agg(DISTINCT loop ORDER BY loop), min(hanging_since), NULL
  FROM loop_heartbeats WHERE hanging_since IS NOT NULL AND ${BEATS}
  HAVING count(*) > 0
  UNION ALL
  SELECT 'silent', '{}', min(beat_at), NULL
  FROM loop_heartbeats
  WHERE beat_at BETWEEN now() - $2 * interval '1 ms' AND now() - $1 * interval '1 ms'
  HAVING count(*) > 0`;

const LIMIT = `LIMIT ${WAITING_LIMIT + 1}`;

const WAITING = `
  SELECT 'messages' AS what, count(*)::int AS count, min(at) AS since FROM (
    SELECT received_at AS at FROM inbox
    WHERE state = 'received' AND shop = $1 AND received_at < now() - $2 * interval '1 ms'
    ORDER BY id ${LIMIT}) AS late
  UNION ALL
  SELECT 'handedOn', count(*)::int, min(at) FROM (
    SELECT created_at AS at FROM outbox
    WHERE shop = $1 AND created_at < now() - $2 * interval '1 ms'
    ORDER BY id ${LIMIT}) AS late
  UNION ALL
  SELECT 'jobs', count(*)::int, min(at) FROM (
    SELECT start_after AS at FROM pgboss.job
    WHERE name = ANY($3) AND state < 'active' AND NOT blocked AND group_id = $1
      AND start_after < now() - $2 * interval '1 ms'
    ${LIMIT}) AS late`;

const RETRIED = `
  SELECT name, coalesce(output->>'code', 'unknown') AS code, count(*)::int AS count, min(created_on) AS since
  FROM pgboss.job
  WHERE name = ANY($2) AND state = 'retry' AND policy = 'stately' AND group_id = $1 AND retry_count >= $3
  GROUP BY 1, 2 ORDER BY min(created_on) LIMIT 5`;
