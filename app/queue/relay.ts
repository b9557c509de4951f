import type { Pool, PoolClient } from "pg";
import type { PgBoss } from "pg-boss";
import type { Logger } from "../lib/logger.ts";

const BATCH = 1000;
const POLL_MS = 1000;

interface Due {
  name: string;
  data: Record<string, unknown>;
  singletonKey: string;
  startAfter: Date | null;
}

export interface Relay {
  /** There is something new. Cheap; call it as often as you like. */
  wake(): void;
  /** Finishes the pass under way and stops. */
  stop(): Promise<void>;
}

/**
 * Hands stored messages and queued work to the job engine: the second half of the transactional outbox.
 * Each pass moves a batch in one transaction, so a job exists exactly when its row has left. Any number of
 * processes may run one; rows locked by another are skipped.
 */
export function startRelay(options: { pool: Pool; engine: PgBoss; logger: Logger }): Relay {
  const { pool, engine, logger } = options;
  let stopped = false;
  let wanted = false;
  let passing: Promise<void> = Promise.resolve();
  let running = false;

  const pass = async () => {
    running = true;
    try {
      do {
        wanted = false;
        const moved = await moveBatch(pool, engine);
        if (moved >= BATCH) wanted = true;
      } while (wanted && !stopped);
    } catch (error) {
      // The rows are still there; the next pass finds them.
      logger.warn({ err: error }, "relay pass failed");
    } finally {
      running = false;
    }
  };
  const wake = () => {
    wanted = true;
    if (!running && !stopped) passing = pass();
  };
  // For rows written by a process that died before it could wake anybody.
  const timer = setInterval(wake, POLL_MS);

  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await passing;
    },
  };
}

/** Moves at most one batch of each kind; returns the larger number. */
async function moveBatch(pool: Pool, engine: PgBoss): Promise<number> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    const messages = await takeMessages(client);
    const work = await takeWork(client);
    await insertJobs(client, engine, [...messages, ...work]);
    await client.query("COMMIT");
    return Math.max(messages.length, work.length);
  } catch (error) {
    failure = error instanceof Error ? error : new Error("relay pass failed");
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    client.release(failure);
  }
}

async function takeMessages(client: PoolClient): Promise<Due[]> {
  const { rows } = await client.query<{ shop: string; id: string; source: string }>({
    name: "relay-take-messages",
    text: `UPDATE inbox SET state = 'queued' FROM (
             SELECT shop, id FROM inbox WHERE state = 'received'
             ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
           ) AS next
           WHERE inbox.shop = next.shop AND inbox.id = next.id
           RETURNING inbox.shop, inbox.id, inbox.source`,
  });
  return rows.map(({ shop, id, source }) => ({
    name: source === "shopify" ? "handle-webhook" : "handle-service-event",
    data: { shop, inboxId: id },
    singletonKey: `${shop} ${id}`,
    startAfter: null,
  }));
}

async function takeWork(client: PoolClient): Promise<Due[]> {
  const { rows } = await client.query<{
    name: string;
    payload: Record<string, unknown>;
    singletonKey: string;
    startAfter: Date;
  }>({
    name: "relay-take-work",
    text: `DELETE FROM outbox USING (
             SELECT shop, id FROM outbox ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
           ) AS next
           WHERE outbox.shop = next.shop AND outbox.id = next.id
           RETURNING name, payload, singleton_key AS "singletonKey", start_after AS "startAfter"`,
  });
  return rows.map(({ payload, ...row }) => ({ ...row, data: payload }));
}

async function insertJobs(client: PoolClient, engine: PgBoss, due: Due[]): Promise<void> {
  const byName = Map.groupBy(due, (one) => one.name);
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
  for (const [name, jobs] of byName) {
    const inserts = jobs.map(({ data, singletonKey, startAfter }) => ({
      data,
      singletonKey,
      ...(startAfter ? { startAfter } : {}),
    }));
    await engine.insert(name, inserts, { db });
  }
}
