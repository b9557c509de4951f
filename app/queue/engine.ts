import { createHash } from "node:crypto";
import pg from "pg";
import { type Db, PgBoss, type QueueResult } from "pg-boss";
import { JOB_NAMES } from "../jobs/definitions.ts";
import { FORMER_JOB_NAMES } from "../jobs/former-names.ts";
import { isTriedUntilDone, type JobName } from "../modules/reports/jobs.ts";
import { loopFailures } from "../platform/counters.ts";
import { CONNECTION_LIMITS, LimitedClient } from "../platform/database/limited-client.ts";
import { SETTLE_SESSION } from "../platform/database/session.ts";
import { isSpoilt } from "../platform/database/transactions.ts";
import { enterProcess, type TenantKey } from "../platform/encryption/tenant-key.ts";
import { errorCode } from "../platform/error-code.ts";
import type { Logger } from "../platform/logger.ts";
import { createTelling } from "../platform/telling.ts";

/**
 * Another worker takes a job over once the heartbeat of its worker has been missing for so long; pg-boss allows no less. A
 * pass of pg-boss's monitoring and the first retry delay come on top: within 15 s altogether (`npm run bench engine p7`).
 */
const HEARTBEAT_SECONDS = 10;
/** A service may be away for a day; nothing is given up meanwhile. 1 s, 2 s, 4 s, … 5 min, about two days. */
const RETRY_LIMIT = 600;
/** For work that is tried until it is done: nine years. */
const NO_LIMIT = 1_000_000;

/** How often a job of this kind is tried again before it is given up. */
export const retryLimitOf = (name: JobName): number =>
  isTriedUntilDone(name) ? NO_LIMIT : RETRY_LIMIT;

const QUEUE = {
  // Jobs with one key collapse while they wait; one that runs does not swallow the next.
  policy: "stately",
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  // Longer than the longest create call.
  expireInSeconds: 300,
  deleteAfterSeconds: 3600,
  // pg-boss deletes what nobody has begun until then: after two weeks, if it is not told.
  retentionSeconds: 10 * 365 * 86_400,
} as const;

/**
 * Claims and completions need not wait for the disk: should the database lose its last moments, jobs are claimed
 * and done again, which every one of them allows. What they did was committed with the disk's word, and that
 * word covers everything that was written before.
 */
const NO_WAIT_FOR_DISK = "SET synchronous_commit TO off";

/** A change of pg-boss's tables takes its time, as our migrations do. For a lock it waits no longer than any statement: others wait behind it. */
const TAKE_TIME = `SET statement_timeout = 0; SET lock_timeout = ${CONNECTION_LIMITS.query_timeout}`;

/** pg-boss and the connections it works with, which are nobody else's: heartbeats must not wait for a turn. */
export interface Engine {
  boss: PgBoss;
  pool: pg.Pool;
  stop(): Promise<void>;
}

interface EngineOptions {
  databaseUrl: string;
  logger: Logger;
  poolSize: number;
  /** What the process proves itself with; the owner of the database needs none. */
  tenantKey?: TenantKey;
}

/** Starts pg-boss on our database, in which `prepareEngine` has made everything that it needs. */
export const startEngine = (options: EngineOptions): Promise<Engine> =>
  openEngine(options, { isOwner: false });

/** Makes or upgrades pg-boss's schema and every queue, as the owner of the database. */
export async function prepareEngine(
  options: Pick<EngineOptions, "databaseUrl" | "logger">,
): Promise<void> {
  const engine = await openEngine({ ...options, poolSize: 2 }, { isOwner: true });
  try {
    for (const name of JOB_NAMES) await ensureQueue(engine, name);
    for (const name of FORMER_JOB_NAMES) await emptyFormerQueue(engine.pool, engine.boss, name);
  } finally {
    await engine.stop();
  }
}

async function openEngine(
  { databaseUrl, logger, poolSize, tenantKey }: EngineOptions,
  { isOwner }: { isOwner: boolean },
): Promise<Engine> {
  const pool = new pg.Pool({
    ...CONNECTION_LIMITS,
    ...(isOwner && { query_timeout: 0 }),
    Client: LimitedClient,
    connectionString: databaseUrl,
    application_name: "pathway-jobs",
    max: poolSize,
    // Said on the connection: a proxy takes no options for its beginning.
    async onConnect(client) {
      await client.query(`${SETTLE_SESSION}; ${isOwner ? TAKE_TIME : NO_WAIT_FOR_DISK}`);
      if (tenantKey) await enterProcess(client, tenantKey);
    },
  });
  let stopped = false;
  const isLossNews = createTelling();
  const isNews = createTelling();
  const onLost = (error: unknown) => {
    if (!stopped && isLossNews(errorCode(error)))
      logger.warn({ err: error }, "job engine's database connection lost");
  };
  pool.on("connect", (client) => client.on("error", onLost));
  pool.on("error", onLost);
  const boss = new PgBoss({
    db: prepared(pool),
    migrate: isOwner,
    // `superviseQueues` does.
    supervise: false,
    schedule: !isOwner,
    monitorIntervalSeconds: 1,
    // It remembers which keys were active, and claims none of them for as long as it remembers.
    queueCacheIntervalSeconds: 1,
  });
  boss.on("error", (error) => {
    const code = errorCode(error);
    loopFailures.add({ loop: "job-engine", code });
    if (isNews(code)) logger.error({ err: error }, "job engine");
  });
  await boss.start();
  return {
    boss,
    pool,
    async stop() {
      stopped = true;
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

async function ensureQueue(
  { boss, pool }: Pick<Engine, "boss" | "pool">,
  name: JobName,
): Promise<void> {
  const retryLimit = retryLimitOf(name);
  const existing = await boss.getQueue(name);
  if (!existing) return boss.createQueue(name, { ...QUEUE, retryLimit });
  // Queues that an earlier version made follow this one's settings; a queue's policy is for ever.
  const { policy: _, ...settings } = { ...QUEUE, retryLimit };
  if (isDifferent(existing, settings)) await boss.updateQueue(name, settings);
  // A job keeps the limit that it was queued with.
  await pool.query(
    "UPDATE pgboss.job SET retry_limit = $2 WHERE name = $1 AND state < 'active' AND retry_limit < $2",
    [name, retryLimit],
  );
}

/**
 * Puts what an earlier version queued under another name back into the outbox, whose relay knows the present one. A job that
 * an old process still works on is done twice, which every job allows.
 */
async function emptyFormerQueue(pool: pg.Pool, boss: PgBoss, name: string): Promise<void> {
  if (!(await boss.getQueue(name))) return;
  await pool.query(
    `WITH left_over AS (
       DELETE FROM pgboss.job WHERE name = $1 AND state IN ('created', 'retry', 'active')
       RETURNING data, singleton_key, start_after
     )
     INSERT INTO outbox (shop, name, singleton_key, payload, start_after)
     SELECT data->>'shop', $1, coalesce(singleton_key, gen_random_uuid()::text), data, start_after FROM left_over`,
    [name],
  );
  await boss.deleteQueue(name);
}

const isDifferent = (queue: QueueResult, settings: Partial<QueueResult>) =>
  Object.entries(settings).some(([key, value]) =>
    Object.entries(queue).every(([k, v]) => k !== key || v !== value),
  );

const names = new Map<string, string>();

export interface QueueDb extends Pick<Db, "executeSql"> {
  /** Executes a statement that PostgreSQL plans for its values, each time. */
  planAnew(text: string, values: unknown[]): Promise<unknown>;
}

/**
 * pg-boss's statements, prepared once on each connection: planning its claim takes longer than running it.
 * Statements without values may be several in one text, which cannot be prepared.
 */
export function prepared(on: pg.Pool | pg.PoolClient): QueueDb {
  const send = (statement: pg.QueryConfig) =>
    on instanceof pg.Pool ? ask(on, statement) : on.query(statement);
  return {
    planAnew: (text, values) => send({ text, values }),
    executeSql(text, values) {
      if (!values?.length) return on.query(text);
      let name = names.get(text);
      if (!name) {
        name = `boss-${createHash("sha1").update(text).digest("hex").slice(0, 24)}`;
        names.set(text, name);
      }
      return send({ name, text, values });
    },
  };
}

/**
 * Asks on any connection of the pool, and keeps the connection when the statement is refused: it is as good as before.
 * pg-pool would close it. Every claim that meets the key of work under way would then cost a new connection, on which
 * nothing is prepared.
 */
async function ask(pool: pg.Pool, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await client.query(statement);
  } catch (error) {
    const isRefused =
      error instanceof pg.DatabaseError && error.severity === "ERROR" && !isSpoilt(error);
    if (!isRefused) failure = error instanceof Error ? error : new Error("statement failed");
    throw error;
  } finally {
    client.release(failure);
  }
}
