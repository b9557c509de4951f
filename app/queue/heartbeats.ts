import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "../platform/logger.ts";
import { tolerate } from "../platform/tolerate.ts";
import type { Loop, LoopState, Vitals } from "./vitals.ts";

export const BEAT_EVERY_MS = 10_000;

/** The row by which a process whose loops are all well says that it is there. */
const PROCESS: LoopState = {
  ...{ name: "process", succeededMsAgo: null, failingMs: null, failures: 0 },
  ...{ code: null, hangingMs: null },
};

export interface Heartbeats {
  /** Takes this process's rows away: it has ended in order, and nobody needs to miss it. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  pool: Pool;
  vitals: Pick<Vitals, "loops">;
  /** The work of this process. */
  roles: readonly string[];
  clock: { skewMs(): number | null };
  loop: Loop;
  logger: Logger;
  /** Name of this process, which no other has had. */
  processId?: string;
}

/**
 * Writes down that this process is there, and which of its loops fail or hang, at once and then every 10 s, so that any other
 * process can show it (table `loop_heartbeats`). A row for each loop that is well would be two thirds of all that an idle app
 * writes (docs/decisions/0153). Times go by the database: the process says how long ago something was.
 */
export function startHeartbeats(options: HeartbeatOptions): Heartbeats {
  const { pool, vitals, roles, clock, loop, logger } = options;
  const { processId = randomUUID() } = options;
  let beating: Promise<void> = Promise.resolve();
  let isBeating = false;

  async function beat(): Promise<void> {
    const loops = [PROCESS, ...vitals.loops().filter(isInTrouble)];
    const column = <T>(of: (state: (typeof loops)[number]) => T) => loops.map(of);
    await pool.query(BEAT, [
      processId,
      roles,
      clock.skewMs(),
      column(({ name }) => name),
      column(({ succeededMsAgo }) => succeededMsAgo),
      column(({ failingMs }) => failingMs),
      column(({ failures }) => failures),
      column(({ code }) => code),
      column(({ hangingMs }) => hangingMs),
    ]);
  }
  const beatOnce = () => {
    // A beat that waits for a frozen database must not be followed by a queue of others.
    if (isBeating) return;
    isBeating = true;
    beating = beat()
      .then(loop.turned, loop.failed)
      .finally(() => {
        isBeating = false;
      });
  };
  const timer = setInterval(beatOnce, BEAT_EVERY_MS);
  beatOnce();
  return {
    async stop() {
      clearInterval(timer);
      await beating;
      // Rows that stay are shown as a silent process for a minute, and then removed by the maintenance.
      await pool
        .query("DELETE FROM loop_heartbeats WHERE process_id = $1", [processId])
        .catch(tolerate(logger, "heartbeat.remove"));
    },
  };
}

const isInTrouble = ({ failures, hangingMs }: LoopState) => failures > 0 || hangingMs !== null;

const BEAT = `
  WITH well_again AS (DELETE FROM loop_heartbeats WHERE process_id = $1 AND loop <> ALL($4))
  INSERT INTO loop_heartbeats (process_id, roles, clock_skew_ms, loop, last_success_at, failing_since,
                               failures, error_code, hanging_since, beat_at)
  SELECT $1, $2, $3, loop, now() - succeeded * interval '1 ms', now() - failing * interval '1 ms',
         failures, code, now() - hanging * interval '1 ms', now()
  FROM unnest($4::text[], $5::float8[], $6::float8[], $7::int[], $8::text[], $9::float8[])
    AS state(loop, succeeded, failing, failures, code, hanging)
  ON CONFLICT (process_id, loop) DO UPDATE SET
    roles = excluded.roles, clock_skew_ms = excluded.clock_skew_ms,
    last_success_at = excluded.last_success_at, failing_since = excluded.failing_since,
    failures = excluded.failures, error_code = excluded.error_code,
    hanging_since = excluded.hanging_since, beat_at = excluded.beat_at`;
