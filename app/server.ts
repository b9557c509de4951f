/** The process: intake and Remix (`web`), relay and workers (`worker`), and an orderly stop. */
import { createServer, type Server } from "node:http";
import { compose } from "./composition.server.ts";
import { migrate } from "./db/migrate.ts";
import { startOwnPostgres } from "./db/own-postgres.ts";
import { readEnvironment } from "./lib/env.ts";
import { createLogger } from "./lib/logger.ts";
import { ownMasterKeys } from "./lib/own-master-key.ts";
import { startEngine } from "./queue/engine.ts";
import { startRelay } from "./queue/relay.ts";
import { startTailer } from "./queue/tailer.ts";
import { startWorkers } from "./queue/workers.ts";
import { createWebHandler } from "./web.ts";

/** How long requests and jobs under way may take to end after SIGTERM. */
const STOP_MS = 25_000;

const env = readEnvironment(process.env);
const logger = createLogger(env.LOG_LEVEL);
const ownDatabase = env.DATABASE_URL ? null : await startOwnPostgres(env.PATHWAY_DATA_DIR);
const databaseUrl = env.DATABASE_URL ?? ownDatabase?.url ?? "";
const masterKeys = env.PATHWAY_MASTER_KEYS ?? (ownDatabase && ownMasterKeys(env.PATHWAY_DATA_DIR));
if (!masterKeys)
  throw new Error(
    "Set PATHWAY_MASTER_KEYS: with a database of its own, Pathway needs a key of its own.",
  );

await migrate(databaseUrl);
const app = compose(env, { databaseUrl, masterKeys, logger });
const engine = await startEngine({ databaseUrl, logger, poolSize: 8 });
const relay = startRelay({ pool: app.database.pool, engine, logger });
app.onWork(relay.wake);
const isWorker = env.PATHWAY_ROLES.includes("worker");
if (isWorker) await startWorkers({ engine, tasks: app.tasks, logger });
const tailer = isWorker ? startTailer(app.database.pool, env.PATHWAY_TAILER_INTERVAL_MS) : null;
const server = env.PATHWAY_ROLES.includes("web") ? await listen() : null;
logger.info({ roles: env.PATHWAY_ROLES, port: env.PORT }, "ready");

async function listen(): Promise<Server> {
  const handle = await createWebHandler(app);
  const created = createServer((request, response) => {
    if (!app.intake(request, response)) handle(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    created.once("error", reject).listen(env.PORT, env.HOST, resolve);
  });
  return created;
}

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  logger.info({ signal }, "stopping");
  // Whatever hangs must not keep the process: what was committed is safe, the rest is done again.
  setTimeout(() => process.exit(1), STOP_MS + 3000).unref();
  if (server) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 5000).unref();
    await closed;
  }
  tailer?.stop();
  await relay.stop();
  await engine.stop({ graceful: true, timeout: STOP_MS });
  await app.database.close();
  await ownDatabase?.stop();
  process.exit(0);
}
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
