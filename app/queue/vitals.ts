import type { Pool } from "pg";
import { loopFailures } from "../platform/counters.ts";
import { takesWrites as askPool } from "../platform/database/takes-writes.ts";
import { errorCode } from "../platform/error-code.ts";
import type { Logger } from "../platform/logger.ts";
import { createTelling } from "../platform/telling.ts";

const PROBE_EVERY_MS = 2_000;
/** The database counts as unreachable when nothing came back for so long: `/readyz` says 503 within 10 s. */
const SILENT_MS = 5_000;
/** A loop that has not come round for so long, while the database answers, hangs for ever. */
const HANGING_MS = 90_000;
/** After so long others are told that a loop hangs: longer than a statement may take. */
const TOLD_AFTER_MS = 15_000;

/** A loop that failed for so long says that it works again. */
const LONG_MS = 10_000;

/** The state that a background loop reports about itself. */
export interface Loop {
  /** It came round. */
  turned(): void;
  /** A turn failed; there is a next one. Counts, and says the code in the log, once a minute at most. */
  failed(error: unknown): void;
}

/** Why a process is not ready: codes for operators, none of which names a shop or a person. */
export type UnreadyReason =
  | "starting"
  | "stopping"
  | "database_unreachable"
  | "database_takes_no_writes"
  | "databases_differ"
  | `loop_failing:${string}`
  | "notifications_lost"
  | "tenant_refused"
  | "schema_unknown"
  | "access_changed"
  | "intake_failing"
  | "files_exhausted"
  | "relay_late";

/** The work that a process is there for (`PATHWAY_ROLES`). */
export type Role = "web" | "worker";

/** The only loop that tells whether requests can be answered. The others do work that is stored, and waits. */
const KEYS: UnreadyReason = "loop_failing:keys";

/** Whether a reason keeps a process from answering requests: pages and messages need no work that is done behind them. */
const isOfRequests = (reason: UnreadyReason): boolean =>
  reason === KEYS || (reason !== "relay_late" && !reason.startsWith("loop_failing:"));

/** How one loop is at this moment, with a code and times and nothing else. */
export interface LoopState {
  name: string;
  /** Since its last good turn; null before the first. */
  succeededMsAgo: number | null;
  /** Since the first of the failures in a row; null while there is none. */
  failingMs: number | null;
  failures: number;
  /** The code of the last failure (`errorCode`). */
  code: string | null;
  /** Since its last turn, when that is longer than the loop may take; null otherwise. */
  hangingMs: number | null;
}

export interface Vitals {
  /** `everyMs`: how long a loop may rest between two turns. */
  loop(name: string, everyMs?: number): Loop;
  /** How each loop of this process is. */
  loops(): LoopState[];
  /** Has something that can fail without a loop looked at with every probe; null while it is well. */
  watch(look: () => UnreadyReason | null): void;
  ready(): void;
  stop(): void;
  /** Whether `stop` was called: cheap, for every request asks. */
  isStopping(): boolean;
  /** Empty while the process is ready for all that a role does; a worker does what is behind requests too. */
  reasons(role: Role): UnreadyReason[];
}

interface WatchedLoop {
  everyMs: number;
  turnedAt: number;
  succeededAt: number | null;
  failingSince: number | null;
  failures: number;
  code: string | null;
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
  const loops = new Map<string, WatchedLoop>();
  const looks: (() => UnreadyReason | null)[] = [];
  let state: "starting" | "ready" | "stopping" = "starting";
  let answeredAt = performance.now();
  let answeringSince: number | null = null;
  let takesWrites = true;
  const isProbeNews = createTelling();

  async function probe(): Promise<void> {
    try {
      takesWrites = await askPool(pool);
      answeredAt = performance.now();
      answeringSince ??= answeredAt;
    } catch (error) {
      answeringSince = null;
      const code = errorCode(error);
      loopFailures.add({ loop: "probe", code });
      if (isProbeNews(code)) logger.warn({ err: error }, "the database does not answer");
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
    // Never rejects: that the database does not answer is what it finds out.
    void probe();
    findHanging();
  }, PROBE_EVERY_MS);

  return {
    loop(name, everyMs = 0) {
      const loop: WatchedLoop = {
        everyMs,
        turnedAt: performance.now(),
        succeededAt: null,
        failingSince: null,
        failures: 0,
        code: null,
      };
      loops.set(name, loop);
      const isNews = createTelling();
      return {
        turned() {
          loop.turnedAt = performance.now();
          const failingMs = Math.round(loop.turnedAt - (loop.failingSince ?? loop.turnedAt));
          if (failingMs >= LONG_MS)
            logger.info({ loop: name, failures: loop.failures, failingMs }, "a loop works again");
          loop.succeededAt = loop.turnedAt;
          loop.failingSince = null;
          loop.failures = 0;
          loop.code = null;
        },
        failed(error) {
          loop.turnedAt = performance.now();
          loop.failingSince ??= loop.turnedAt;
          loop.failures++;
          loop.code = errorCode(error);
          loopFailures.add({ loop: name, code: loop.code });
          if (isNews(loop.code))
            logger.warn(
              { err: error, loop: name, failures: loop.failures },
              "a background loop failed",
            );
        },
      };
    },
    loops() {
      const now = performance.now();
      return [...loops].map(([name, loop]) => ({
        name,
        succeededMsAgo: loop.succeededAt === null ? null : now - loop.succeededAt,
        failingMs: loop.failingSince === null ? null : now - loop.failingSince,
        failures: loop.failures,
        code: loop.code,
        hangingMs: now - loop.turnedAt > loop.everyMs + TOLD_AFTER_MS ? now - loop.turnedAt : null,
      }));
    },
    watch(look) {
      looks.push(look);
    },
    ready: () => {
      state = "ready";
    },
    stop() {
      state = "stopping";
      clearInterval(timer);
    },
    isStopping: () => state === "stopping",
    reasons(role) {
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
      // Several looks may find the same.
      return [...new Set(reasons)].filter((reason) => role === "worker" || isOfRequests(reason));
    },
  };
}
