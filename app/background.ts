/**
 * The background work of a process: the relay of every one, and a worker's jobs and loops. A file of its own, which the
 * process loads once it answers: it is a third of the code (docs/decisions/0020).
 */
import type pg from "pg";
import type { App } from "./composition.server.ts";
import type { DatabaseAccess } from "./database-access.ts";
import type { ConnectionShares } from "./platform/database/connection-shares.ts";
import { auditFolder } from "./platform/env.ts";
import { SEAL_EVERY_MS, startAccessSealing } from "./queue/access-sealing.ts";
import { startEngine } from "./queue/engine.ts";
import { startMaintenance } from "./queue/maintenance.ts";
import { startOutboxRelay } from "./queue/outbox-relay.ts";
import { startServiceSync } from "./queue/service-sync.ts";
import { LOOK_FOR_SILENT_MS, watchSenders } from "./queue/silent-senders.ts";
import type { Vitals } from "./queue/vitals.ts";
import { startWorkers, type Workers } from "./queue/workers.ts";

export interface Background {
  /** The job engine's connections. */
  jobs: pg.Pool;
  /** Begins nothing by itself any more. */
  rest(): void;
  /** Lets jobs under way end; see `Workers.stop`. */
  drain(patience: Parameters<Workers["stop"]>[0]): Promise<void>;
  /** Ends the relay and the engine. Last, for what was taken in and what ended jobs have left to be done. */
  stop(): Promise<void>;
}

export interface BackgroundOptions {
  access: DatabaseAccess;
  connections: ConnectionShares;
  vitals: Vitals;
  isWorker: boolean;
}

/** Starts the background work of a process that is composed and whose database is fit for it. Fails where a start has to. */
export async function startBackground(
  app: App,
  { access, connections, vitals, isWorker }: BackgroundOptions,
): Promise<Background> {
  const { env, logger } = app;
  const { pool } = app.database;
  const { processUrl, tenantKey } = access;
  const engine = await startEngine({
    ...{ databaseUrl: processUrl, tenantKey, logger },
    poolSize: connections.jobs,
  });
  const relay = startOutboxRelay({
    ...{ pool, engine, inboxRouter: app.inboxRouter },
    loop: vitals.loop("relay"),
  });
  app.onWork(relay.wake);
  const workers = isWorker
    ? await startWorkers({
        engine,
        databaseUrl: processUrl,
        tasks: await app.loadTasks(),
        creates: env.PATHWAY_CREATES_AT_ONCE,
        vitals,
        logger,
      })
    : null;
  const {
    PATHWAY_SYNC_INTERVAL_MS: syncEveryMs,
    PATHWAY_MAINTENANCE_INTERVAL_MS: maintainEveryMs,
  } = env;
  const loops = isWorker
    ? [
        startServiceSync(pool, vitals.loop("service-sync", syncEveryMs), syncEveryMs),
        watchSenders(pool, vitals.loop("silent-senders", LOOK_FOR_SILENT_MS)),
        startMaintenance(pool, vitals.loop("maintenance", maintainEveryMs), maintainEveryMs),
        startAccessSealing(
          { pool, inLog: app.inLog, folder: auditFolder(env), clock: app.clock, logger },
          vitals.loop("access-sealing", SEAL_EVERY_MS),
        ),
      ]
    : [];
  return {
    jobs: engine.pool,
    rest() {
      for (const loop of loops) loop.stop();
    },
    async drain(patience) {
      await workers?.stop(patience);
    },
    async stop() {
      await relay.stop();
      await engine.stop();
    },
  };
}
