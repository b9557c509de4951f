import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvent } from "../../app/clients/referral-service/events/read-event.ts";
import { READ_TOPICS, readWebhook } from "../../app/clients/shopify/read-webhook.ts";
import { JOB_NAMES } from "../../app/jobs/definitions.ts";
import { migrateDatabase } from "../../app/migrate-database.ts";
import { systemClock } from "../../app/platform/clock.ts";
import { type Database, openDatabase } from "../../app/platform/database/database.ts";
import { createEpochs } from "../../app/platform/encryption/epochs.ts";
import { createKeyFolder } from "../../app/platform/encryption/key-folder.ts";
import { readMasterKeys } from "../../app/platform/encryption/master-keys.ts";
import { createSealers, type Sealers } from "../../app/platform/encryption/sealers.ts";
import { createLogger } from "../../app/platform/logger.ts";
import { type Engine, startEngine } from "../../app/queue/engine.ts";
import { createInboxRouter } from "../../app/queue/inbox-router.ts";
import { startOutboxRelay } from "../../app/queue/outbox-relay.ts";
import { startWorkers, type Tasks } from "../../app/queue/workers.ts";
import { createInboxWriter, type InboxWriter } from "../../app/web/intake/inbox-writer.ts";
import { SILENT_LOOP, SILENT_VITALS } from "../../test/database/vitals.ts";
import { startEmptyPostgres } from "../empty-postgres.ts";
import { startPlainWorkers } from "./plain-workers.ts";

export const SHOP = "bench.myshopify.com";

export interface Host extends AsyncDisposable {
  database: Database;
  databaseUrl: string;
  sealers: Sealers;
  engine: Engine;
  writeToInbox: InboxWriter;
  /** Does as the app does after a commit: wakes the relay. */
  wake(): void;
}

export interface Postgres extends AsyncDisposable {
  url: string;
  pid: number;
}

/** A database of the benchmark's own, with the app's tables, in a folder that goes with it. */
export async function benchPostgres(): Promise<Postgres> {
  const postgres = await startEmptyPostgres();
  await migrateDatabase(postgres.url);
  return {
    url: postgres.url,
    pid: postgres.pid,
    async [Symbol.asyncDispose]() {
      await postgres.stop();
    },
  };
}

/** The app's own store, relay, engine and workers in this process, with another task than the app's. */
export async function startHost(
  databaseUrl: string,
  task: Tasks[keyof Tasks],
  { works = true }: { works?: boolean } = {},
): Promise<Host> {
  const logger = createLogger("warn");
  const database = openDatabase({ url: databaseUrl, poolSize: 16, onError: () => {} });
  const { pool } = database;
  const masterKeys = readMasterKeys(`bench:${randomBytes(32).toString("base64")}`);
  const keyFolder = mkdtempSync(join(tmpdir(), "pathway-bench-keys-"));
  const epochs = createEpochs(createKeyFolder(keyFolder), masterKeys);
  const sealers = createSealers(pool, masterKeys, epochs);
  const engine = await startEngine({ databaseUrl, logger, poolSize: 8 });
  const inboxRouter = createInboxRouter({
    sealers,
    topics: READ_TOPICS,
    readMessage: readWebhook,
    readEvent: (body) => readEvent(body, {}),
    ...{ logger, clock: systemClock },
  });
  const relay = works ? startOutboxRelay({ pool, engine, inboxRouter, loop: SILENT_LOOP }) : null;
  const tasks = Object.fromEntries(JOB_NAMES.map((name) => [name, task])) as Tasks;
  const isPlain = process.env.BENCH_RUNNER === "pg-boss";
  const plain = works && isPlain ? await startPlainWorkers(databaseUrl, tasks) : null;
  const workers =
    works && !isPlain
      ? await startWorkers({
          engine,
          databaseUrl,
          tasks,
          creates: 100,
          vitals: SILENT_VITALS,
          logger,
        })
      : null;
  return {
    database,
    databaseUrl,
    sealers,
    engine,
    writeToInbox: createInboxWriter({ pool, sealers }),
    wake: () => relay?.wake(),
    async [Symbol.asyncDispose]() {
      await plain?.stop({ graceful: false });
      await workers?.stop({ graceMs: 1000, abortMs: 0, onImpatient: () => {} });
      await relay?.stop();
      await engine.stop();
      await database.close();
      rmSync(keyFolder, { recursive: true, force: true });
    },
  };
}
