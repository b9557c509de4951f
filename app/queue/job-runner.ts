import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import type { ConcurrencyLimits } from "../jobs/definitions.ts";
import type { Turn } from "../modules/kernel/jobs.ts";
import type { JobName } from "../modules/reports/jobs.ts";
import { endedJobs } from "../platform/counters.ts";
import { crashPoint } from "../platform/crash-points.ts";
import { AppError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { tolerate } from "../platform/tolerate.ts";
import { inStep, type Step } from "../platform/traces.ts";
import { type Claimed, claimJobs } from "./claim-jobs.ts";
import { type QueueDb, retryLimitOf } from "./engine.ts";
import { createSettling, RECOVERY_MS, type Settlement } from "./settle-jobs.ts";
import type { Loop } from "./vitals.ts";

/** One kind of work, ready to be done: reads its payload and calls its use case. Throws to be tried again. */
export type Task = (payload: unknown, turn: Turn) => Promise<unknown>;

export interface JobRunnerOptions {
  name: JobName;
  boss: PgBoss;
  db: QueueDb;
  concurrency: ConcurrencyLimits;
  task: Task;
  loop: Loop;
  logger: Logger;
  /** How often it says that it is alive while nobody wakes it. */
  restMs: number;
}

export interface JobRunner {
  /** There may be something to do. Cheap; call it as often as you like. */
  wake(): void;
  /** Takes nothing more, gives back what has not begun, and waits for what has, until `deadline` ends. */
  drain(deadline: Promise<unknown>): Promise<void>;
  /** Ends at once: what still runs is left to other processes. */
  close(): Promise<void>;
}

/** How often a worker says of its jobs that it is alive. */
export const HEARTBEAT_MS = 2_500;
/** Claims come in few sizes, because each size is a statement of its own. */
const BATCH_SIZES = [500, 100, 20, 5, 1];
/** Short work is claimed ahead, for as long as it takes to claim more. */
const AHEAD_MS = 50;
const MAX_AHEAD = 500;

/**
 * Claims jobs of one kind from pg-boss and runs each in a slot of its own, so that none waits for another's
 * end. It claims when it is woken, by whoever knows of something that is due (`due-jobs.ts`, `job-notifier.ts`), and no
 * claim is made for nothing. Completions that come together are written together. pg-boss's own workers take a batch and wait for
 * all of it: one service that hangs would hold up every shop whose job came in the same batch
 * (docs/decisions/0013).
 */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const { name, boss, concurrency, logger, restMs } = options;
  /** Claimed, begun or not, and not ended: kept alive by heartbeats. */
  const claimed = new Map<string, { job: Claimed; at: number }>();
  /** Claimed, but there is no slot yet, or its shop has all that it may have. */
  const held: Claimed[] = [];
  const running = new Set<Promise<void>>();
  const runningOf = new Map<string, number>();
  const settling = createSettling(options);
  let stopped = false;
  let wanted = false;
  let rouse = () => {};
  /** Jobs that have ended since this time, in milliseconds. */
  let ended = 0;
  let countingSince = performance.now();
  let lastAhead = 0;
  /** Whether the last claim may have left something that was due: then the end of a job is a reason to claim again. */
  let mayBeLeft = true;

  const shopOf = (job: Claimed) => job.groupId ?? "";
  const isFull = (job: Claimed) => (runningOf.get(shopOf(job)) ?? 0) >= concurrency.slotsForOneShop;
  const mayStart = (job: Claimed) => !stopped && running.size < concurrency.slots && !isFull(job);

  function end(job: Claimed, settlement: Settlement): void {
    // From here on no heartbeat: it would meet the statement that ends the job. Another run of a job that ran for too long goes on.
    if (claimed.get(job.id)?.job === job) claimed.delete(job.id);
    const isGivenUp = settlement.kind === "failed" && job.retryCount >= retryLimitOf(name);
    if (isGivenUp) logger.error({ job: name, id: job.id, code: settlement.code }, "job given up");
    endedJobs.add({ kind: name, outcome: isGivenUp ? "given_up" : settlement.kind });
    settling.add(job, settlement);
  }

  function start(job: Claimed): void {
    runningOf.set(shopOf(job), (runningOf.get(shopOf(job)) ?? 0) + 1);
    const work = run(options, job).then((settlement) => {
      end(job, settlement);
      const left = (runningOf.get(shopOf(job)) ?? 1) - 1;
      if (left > 0) runningOf.set(shopOf(job), left);
      else runningOf.delete(shopOf(job));
      running.delete(work);
      ended++;
      startHeld();
      if (mayBeLeft) wake();
    });
    running.add(work);
  }

  function startHeld(): void {
    const at = held.findIndex(mayStart);
    const [next] = at === -1 ? [] : held.splice(at, 1);
    if (next) start(next);
  }

  /**
   * Returns how many jobs are claimed ahead: as many as end while more are claimed. Long work is not claimed ahead,
   * so that other workers may have it.
   */
  function howFarAhead(): number {
    const now = performance.now();
    const perMs = ended / Math.max(1, now - countingSince);
    ended = 0;
    countingSince = now;
    lastAhead = Math.floor(Math.min(MAX_AHEAD, Math.max(perMs * AHEAD_MS, lastAhead / 2)));
    return lastAhead;
  }

  /** Returns whether there may be more to claim right now. */
  async function claim(): Promise<boolean> {
    const ahead = howFarAhead();
    const free = concurrency.slots + ahead - running.size - held.length;
    const most = Math.min(free, concurrency.slotsForOneShop + ahead);
    const batchSize = BATCH_SIZES.find((size) => size <= most);
    mayBeLeft = true;
    if (!batchSize) return false;
    const full = [...runningOf].filter(([, count]) => count >= concurrency.slotsForOneShop);
    const ignoreGroups = full.map(([shop]) => shop).filter(Boolean);
    const { jobs, conflict } = await claimJobs(options, { batchSize, ignoreGroups });
    const at = performance.now();
    for (const job of jobs) {
      claimed.set(job.id, { job, at });
      if (mayStart(job)) start(job);
      else held.push(job);
    }
    // A claim that got less than it asked for took all that was due, but for shops that have their share already.
    const isMore = conflict || jobs.length === batchSize;
    mayBeLeft = isMore || ignoreGroups.length > 0;
    return isMore;
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        if (wanted) {
          wanted = false;
          if (await claim()) wanted = true;
        }
        options.loop.turned();
      } catch (error) {
        options.loop.failed(error);
        wanted = true;
        await delay(RECOVERY_MS);
      }
      if (!wanted && !stopped) await rest();
    }
  }

  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, restMs);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function wake(): void {
    wanted = true;
    rouse();
  }

  const heartbeat = setInterval(() => {
    const grown = performance.now() - HEARTBEAT_MS;
    const jobs = [...claimed.values()].filter(({ at }) => at < grown).map(({ job }) => job);
    if (jobs.length === 0) return;
    // The next one comes before a job counts as dead.
    boss.touch(name, jobs).catch(tolerate(logger, "job-runner.heartbeat"));
  }, HEARTBEAT_MS);
  const looping = loop();

  return {
    wake,
    async drain(deadline) {
      stopped = true;
      rouse();
      await looping;
      // Nothing of these has begun: another process may have them.
      for (const job of held.splice(0)) end(job, { kind: "failed", code: "stopped" });
      await Promise.race([Promise.all(running), deadline]);
    },
    async close() {
      stopped = true;
      rouse();
      clearInterval(heartbeat);
      await Promise.race([settling.idle(), delay(2_000, undefined, { ref: false })]);
      const left = [...claimed.values()].map(({ job }) => job);
      // Those that cannot be given back are taken over when their heartbeats have been missing.
      if (left.length > 0)
        await boss
          .fail(name, left, { code: "stopped" })
          .catch(tolerate(logger, "job-runner.give-back"));
      await looping;
    },
  };
}

/** Runs one job; its failure is its own. Never rejects. */
async function run(options: JobRunnerOptions, job: Claimed): Promise<Settlement> {
  const { name, task, logger } = options;
  const startedAt = performance.now();
  try {
    crashPoint("job.before-start");
    await inStep(`job ${name}`, stepOf(job), async () => {
      try {
        const isLast = job.retryCount >= retryLimitOf(name);
        await task(job.data, { retries: job.retryCount, isLast });
      } catch (error) {
        // Within the step: the line names its trace.
        logger.warn({ job: name, id: job.id, ...failureOf(error), err: error }, "job failed");
        throw error;
      }
      const ms = Math.round(performance.now() - startedAt);
      logger.debug({ job: name, id: job.id, ms, outcome: "completed" });
    });
    crashPoint("job.after-work");
    return { kind: "completed" };
  } catch (error) {
    // The job stores a code alone: a message may quote what somebody typed.
    const { code, retryable } = failureOf(error);
    return { kind: retryable ? "failed" : "given_up", code };
  }
}

const failureOf = (error: unknown) =>
  error instanceof AppError
    ? { code: error.code, retryable: error.retryable }
    : { code: "unexpected", retryable: true };

/** The ids that a step tells of its payload. Other fields may hint at a result. */
const NAMED_IDS = [
  ...["shop", "environment", "orderId", "requestId", "uuid", "inboxId"],
  ...["productId", "batchId", "orderImportId", "simulationId"],
];

/** The step that a job is: it goes on in the trace that the job came with. */
function stepOf({ id, data, retryCount }: Claimed): Step {
  const payload = Object(data) as Record<string, unknown>;
  const { traceparent } = payload;
  const named = NAMED_IDS.flatMap((name) => (payload[name] ? [[name, payload[name]]] : []));
  return {
    kind: "consumer",
    parent: typeof traceparent === "string" ? traceparent : null,
    attributes: {
      "pathway.job.id": id,
      "pathway.job.retries": retryCount,
      ...Object.fromEntries(named.map(([name, value]) => [`pathway.${name}`, String(value)])),
    },
  };
}
