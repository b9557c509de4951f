import type { Pool } from "pg";
import type { Logger } from "../lib/logger.ts";

const PROBE_EVERY_MS = 2_000;
/** The database counts as unreachable when nothing came back for so long: `/readyz` says 503 within 10 s. */
const SILENT_MS = 5_000;
/** A loop that has not come round for so long, while the database answers, hangs for ever. */
const HANGING_MS = 90_000;

/** What a background loop tells about itself. */
export interface Loop {
  /** It came round. */
  turned(): void;
  /** A turn failed; there is a next one. Says the code in the log, and counts. */
  failed(error: unknown): void;
}

/** Why a process is not ready: codes for operators, none of which names a shop or a person. */
export type UnreadyReason =
  | "starting"
  | "stopping"
  | "database_unreachable"
  | "database_takes_no_writes"
  | `loop_failing:${string}`
  | "notifications_lost";

export interface Vitals {
  /** `everyMs`: how long a loop may rest between two turns. */
  loop(name: string, everyMs?: number): Loop;
  /** Has something that can fail without a loop looked at with every probe; null while it is well. */
  watch(look: () => UnreadyReason | null): void;
  ready(): void;
  stop(): void;
  /** Empty while the process is ready. */
  reasons(): UnreadyReason[];
}

/**
 * Watches a process's loops and its way to the database. A database that does not answer makes the process unready
 * and never ends it. A loop that hangs though the database answers is a fault of ours that only a new process mends:
 * `onHang` ends this one for its supervisor.
 */
export function watchVitals(options: {
  pool: Pool;
  logger: Logger;
  onHang: (loop: string) => void;
}): Vitals {
  const { pool, logger, onHang } = options;
  const loops = new Map<string, { turnedAt: number; failures: number; everyMs: number }>();
  const looks: (() => UnreadyReason | null)[] = [];
  let state: "starting" | "ready" | "stopping" = "starting";
  let answeredAt = performance.now();
  let answeringSince: number | null = null;
  let takesWrites = true;

  async function probe(): Promise<void> {
    try {
      const { rows } = await pool.query<{ isStandby: boolean }>(
        'SELECT pg_is_in_recovery() AS "isStandby"',
      );
      takesWrites = rows[0]?.isStandby === false;
      answeredAt = performance.now();
      answeringSince ??= answeredAt;
    } catch (error) {
      answeringSince = null;
      logger.warn({ err: error }, "the database does not answer");
    }
  }
  const isReachable = () => performance.now() - answeredAt <= SILENT_MS;

  /** A loop waits for the database like everybody: only time in which it answered counts against it. */
  function findHanging(): void {
    if (answeringSince === null || !takesWrites) return;
    const now = performance.now();
    for (const [name, { turnedAt, everyMs }] of loops)
      if (now - Math.max(turnedAt, answeringSince) > everyMs + HANGING_MS) onHang(name);
  }

  const timer = setInterval(() => {
    if (!isReachable()) answeringSince = null;
    void probe();
    findHanging();
  }, PROBE_EVERY_MS);

  return {
    loop(name, everyMs = 0) {
      const loop = { turnedAt: performance.now(), failures: 0, everyMs };
      loops.set(name, loop);
      return {
        turned() {
          loop.turnedAt = performance.now();
          loop.failures = 0;
        },
        failed(error) {
          loop.turnedAt = performance.now();
          loop.failures++;
          logger.warn(
            { err: error, loop: name, failures: loop.failures },
            "a background loop failed",
          );
        },
      };
    },
    watch: (look) => void looks.push(look),
    ready: () => {
      state = "ready";
    },
    stop() {
      state = "stopping";
      clearInterval(timer);
    },
    reasons() {
      if (state !== "ready") return [state];
      const reasons: UnreadyReason[] = [];
      if (!isReachable()) reasons.push("database_unreachable");
      else if (!takesWrites) reasons.push("database_takes_no_writes");
      for (const [name, { failures }] of loops)
        if (failures > 1) reasons.push(`loop_failing:${name}`);
      for (const look of looks) {
        const reason = look();
        if (reason) reasons.push(reason);
      }
      return reasons;
    },
  };
}
