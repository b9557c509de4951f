/**
 * One runner: claiming, running and settling of one kind of job. Together in one file, because what is claimed, held,
 * running and not yet settled is one state, and every guard here is about who may touch it when.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Db, PgBoss } from "pg-boss";
import type { Turn } from "../modules/kernel/jobs.ts";
import { endedJobs, loopFailures } from "../platform/counters.ts";
import { crashPoint } from "../platform/crash-points.ts";
import { errorCode } from "../platform/error-code.ts";
import { AppError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { tolerate } from "../platform/tolerate.ts";
import { inStep, type Step } from "../platform/traces.ts";
import type { Loop } from "./vitals.ts";

/** One kind of work, ready to be done: reads its payload and calls its use case. Throws to be tried again. */
export type Task = (payload: unknown, turn: Turn) => Promise<unknown>;

/** How much of one kind of work runs side by side in one process. */
export interface ConcurrencyLimits {
  slots: number;
  /** The slots that one shop may have. The rest is for other shops, however long their jobs take. */
  slotsForOneShop: number;
}

export interface JobRunnerOptions {
  name: string;
  boss: PgBoss;
  db: Db;
  pace: ConcurrencyLimits;
  task: Task;
  loop: Loop;
  logger: Logger;
}

export interface JobRunner {
  /** There may be something to do. Cheap; call it as often as you like. */
  wake(): void;
  /** Takes nothing more, gives back what has not begun, and waits for what has, until `deadline` ends. */
  drain(deadline: Promise<unknown>): Promise<void>;
  /** Ends at once: what still runs is left to other processes. */
  close(): Promise<void>;
}

interface Claimed {
  id: string;
  data: unknown;
  retryCount: number;
  groupId?: string | null;
}

/** Jobs that wait for their time announce nothing when it comes. */
const POLL_MS = 500;
const HEARTBEAT_MS = 2_500;
/** Claims come in few sizes, because each size is a statement of its own. */
const BATCH_SIZES = [500, 100, 20, 5, 1];
/** Short work is claimed ahead, for as long as it takes to claim more. */
const AHEAD_MS = 50;
const MAX_AHEAD = 500;
/** After a statement that failed: the database may be away. */
const RECOVERY_MS = 500;

/**
 * Claims jobs of one kind from pg-boss and runs each in a slot of its own, so that none waits for another's
 * end. Completions that come together are written together. pg-boss's own workers take a batch and wait for
 * all of it: one service that hangs would hold up every shop whose job came in the same batch
 * (docs/decisions/0013).
 */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const { name, boss, pace, logger } = options;
  /** Claimed, begun or not, and not ended: kept alive by heartbeats. */
  const claimed = new Map<string, { job: Claimed; at: number }>();
  /** Claimed, but there is no slot yet, or its shop has all that it may have. */
  const held: Claimed[] = [];
  const running = new Set<Promise<void>>();
  const runningOf = new Map<string, number>();
  const settling = createSettling(options);
  let stopped = false;
  let wanted = true;
  let rouse = () => {};
  /** Jobs that have ended since this time, in milliseconds. */
  let ended = 0;
  let countingSince = performance.now();
  let lastAhead = 0;

  const shopOf = (job: Claimed) => job.groupId ?? "";
  const isFull = (job: Claimed) => (runningOf.get(shopOf(job)) ?? 0) >= pace.slotsForOneShop;
  const mayStart = (job: Claimed) => !stopped && running.size < pace.slots && !isFull(job);

  function end(job: Claimed, settlement: Settlement): void {
    // From here on no heartbeat: it would meet the statement that ends the job.
    claimed.delete(job.id);
    endedJobs.add({ kind: name, outcome: settlement.kind });
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
      wake();
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
    const free = pace.slots + ahead - running.size - held.length;
    const most = Math.min(free, pace.slotsForOneShop + ahead);
    const batchSize = BATCH_SIZES.find((size) => size <= most);
    if (!batchSize) return false;
    const full = [...runningOf].filter(([, count]) => count >= pace.slotsForOneShop);
    const ignoreGroups = full.map(([shop]) => shop).filter(Boolean);
    const { jobs, conflict } = await fetchJobs(options, { batchSize, ignoreGroups });
    const at = performance.now();
    for (const job of jobs) {
      claimed.set(job.id, { job, at });
      if (mayStart(job)) start(job);
      else held.push(job);
    }
    return conflict || jobs.length > 0;
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        wanted = false;
        const isMore = await claim();
        options.loop.turned();
        if (isMore) continue;
      } catch (error) {
        options.loop.failed(error);
        await delay(RECOVERY_MS);
      }
      if (!wanted && !stopped) await rest();
    }
  }

  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
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

type Settlement = { kind: "completed" } | { kind: "failed" | "given_up"; code: string };

/** Runs one job; its failure is its own. Never rejects. */
async function run(options: JobRunnerOptions, job: Claimed): Promise<Settlement> {
  const { name, task, logger } = options;
  const startedAt = performance.now();
  try {
    crashPoint("job.before-start");
    await inStep(`job ${name}`, stepOf(job), () => task(job.data, { retries: job.retryCount }));
    crashPoint("job.after-work");
    const ms = Math.round(performance.now() - startedAt);
    logger.debug({ job: name, id: job.id, ms, outcome: "completed" });
    return { kind: "completed" };
  } catch (error) {
    const code = error instanceof AppError ? error.code : "unexpected";
    const retryable = !(error instanceof AppError) || error.retryable;
    logger.warn({ job: name, id: job.id, code, retryable, err: error }, "job failed");
    // The job stores a code alone: a message may quote what somebody typed.
    return { kind: retryable ? "failed" : "given_up", code };
  }
}

/** What of a payload a step says. The rest may hint at a result. */
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

/** Writes down how jobs ended, many at a time while one statement is under way. */
function createSettling({ name, boss, logger }: JobRunnerOptions) {
  let waiting: { job: Claimed; settlement: Settlement }[] = [];
  let working: Promise<void> | null = null;

  async function settleAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await settle(name, boss, batch);
      } catch (error) {
        loopFailures.add({ loop: `${name}.settle`, code: errorCode(error) });
        logger.warn({ err: error, job: name }, "ended jobs could not be written down");
        waiting.push(...batch);
        await delay(RECOVERY_MS);
      }
    }
    working = null;
  }

  return {
    add(job: Claimed, settlement: Settlement) {
      waiting.push({ job, settlement });
      working ??= Promise.resolve().then(settleAll);
    },
    idle: async () => {
      await working;
    },
  };
}

async function settle(
  name: string,
  boss: PgBoss,
  batch: { job: Claimed; settlement: Settlement }[],
): Promise<void> {
  // Every statement names the attempt that was claimed: whoever has taken a job over since keeps it.
  const byEnd = Map.groupBy(batch, ({ settlement }) =>
    settlement.kind === "completed" ? "completed" : `${settlement.kind} ${settlement.code}`,
  );
  for (const ended of byEnd.values()) {
    const jobs = ended.map(({ job }) => job);
    const end = ended[0]?.settlement;
    if (end?.kind === "failed") await boss.fail(name, jobs, { code: end.code });
    else if (end?.kind === "given_up")
      await boss.cancel(
        name,
        jobs.map((job) => job.id),
      );
    else await boss.complete(name, jobs);
  }
}

/**
 * Claims jobs. pg-boss keeps two jobs with one key from running at the same time by a unique index, and a claim
 * that meets it comes back empty, whatever else it would have taken: one resource that is slow to be fetched
 * would stop its whole queue. Such jobs are therefore put off for a moment, and the claim is made again.
 */
async function fetchJobs(
  { name, boss, db }: JobRunnerOptions,
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
