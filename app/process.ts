/**
 * The process: intake and Remix (`web`), relay and workers (`worker`), and an orderly stop. Long because it is one life, from its
 * settings to its stop, in the order in which it happens.
 */
import type { Server } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answersLive, openAdminPort } from "./admin-server.ts";
import { type App, compose } from "./composition.server.ts";
import {
  checkLogins,
  type DatabaseAccess,
  naming,
  prepareOwnDatabase,
  readAccess,
} from "./database-access.ts";
import { createHealthCheck } from "./health-check.ts";
import { createMetrics, type MetricsOptions } from "./metrics.ts";
import { createPages } from "./pages.ts";
import { armCrashPoints, crashPoint } from "./platform/crash-points.ts";
import { awaitWritable } from "./platform/database/await-writable.ts";
import { shareConnections } from "./platform/database/connection-shares.ts";
import { alignDate } from "./platform/database/database-clock.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./platform/database/limited-client.ts";
import { startOwnPostgres } from "./platform/database/own-postgres.ts";
import { pauseAfterRestore } from "./platform/database/pause-after-restore.ts";
import { noteServing } from "./platform/database/served-until.ts";
import { SETTLE_SESSION } from "./platform/database/session.ts";
import { doubtfulEnvironment, doubtfulSettings } from "./platform/doubtful-settings.ts";
import { bindKeyStore } from "./platform/encryption/bind-key-store.ts";
import { askPool } from "./platform/encryption/data-keys.ts";
import { watchDestroyedKeys } from "./platform/encryption/destroyed-keys.ts";
import { createKeyFolder } from "./platform/encryption/key-folder.ts";
import type { KeyStore } from "./platform/encryption/key-store.ts";
import { ownMasterKeys } from "./platform/encryption/own-master-key.ts";
import { recoverAllKeys } from "./platform/encryption/recover-keys.ts";
import { rewrapKeys } from "./platform/encryption/rewrap-keys.ts";
import { enterProcess } from "./platform/encryption/tenant-key.ts";
import { STOP_SIGNALS } from "./platform/end-on-signal.ts";
import {
  type ProcessSettings,
  readProcessSettings,
  withFiles,
  withPresentSettings,
} from "./platform/env.ts";
import { NotesDamaged } from "./platform/errors.ts";
import { waitForFarHosts } from "./platform/far-hosts.ts";
import { readFaultInjection } from "./platform/fault-injection.ts";
import { createServer } from "./platform/http.ts";
import { countKeyTrouble, isKeyTrouble } from "./platform/key-troubles.ts";
import { createLogger, type Logger } from "./platform/logger.ts";
import { refusePlainAddresses } from "./platform/plain-addresses.ts";
import type { Traces } from "./platform/start-traces.ts";
import { tolerate } from "./platform/tolerate.ts";
import { CALLS_EVERY_MS, startCallLog } from "./queue/call-log.ts";
import { BEAT_EVERY_MS, startHeartbeats } from "./queue/heartbeats.ts";
import { KEEP_EVERY_MS, keepOutside } from "./queue/keep-outside.ts";
import { KEYS_EVERY_MS, startKeyMaintenance } from "./queue/key-maintenance.ts";
import { watchReadiness } from "./queue/readiness.ts";
import { REFUSALS_EVERY_MS, startRefusalLog } from "./queue/refusal-log.ts";
import { type Vitals, watchVitals } from "./queue/vitals.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";
import { closeAfterLargeBody } from "./web/close-after-large-body.ts";
import { keepConnections } from "./web/keep-connections.ts";
import { SOCKET_LIMITS } from "./web/limits.ts";
import { readTrustedProxies } from "./web/rate-limiting/client-address.ts";
import { addHeaders } from "./web/response-headers.ts";
import { traceAnswer } from "./web/trace-answer.ts";

/** How long aborted calls may take to be written down. */
const ABORT_MS = 3_000;
/** How long answers under way may take to end. */
const CLOSE_MS = 5_000;
/** Nobody is answered while code is loaded, which takes a tenth of a second: whoever has waited for the start goes first. */
const CALLERS_FIRST_MS = 20;
/** Orchestrators kill after 30 s. */
const STOP_MS = 28_000;

/**
 * Starts the process and resolves once it is ready; ends it, with a sentence, when it cannot be started. Until there is something
 * that has to be ended in order, a signal ends it at once: `endNoMore` takes that back.
 */
export async function run(endNoMore: () => void): Promise<void> {
  await start(endNoMore).catch((error: unknown) => {
    // Nobody has typed anything yet: the whole message is what the operator needs.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

async function start(endNoMore: () => void): Promise<void> {
  waitForFarHosts();
  const { variables, warnings } = withPresentSettings(withFiles(process.env));
  const env = readProcessSettings(variables);
  armCrashPoints(
    readFaultInjection({ at: env.PATHWAY_CRASH_AT, folder: env.PATHWAY_CRASH_CONTROL_DIR }),
  );
  const logger = createLogger(env.LOG_LEVEL);
  for (const warning of warnings) logger.warn(warning);
  const unmeant = doubtfulEnvironment(variables.NODE_ENV);
  if (unmeant) logger.warn(unmeant);
  // Pages read it when they are first asked for: that it cannot be read has to be known before.
  readTrustedProxies(env.PATHWAY_TRUSTED_PROXIES);
  const inTheClear = variables.NODE_ENV === "production" ? refusePlainAddresses(env) : null;
  if (inTheClear) logger.warn(inTheClear);
  if (variables.NODE_ENV === "production")
    for (const warning of doubtfulSettings(process.env, env)) logger.warn(warning);
  endOnUnheardError(logger);
  const traces = await startTracing(env, logger);
  const ownDatabase = env.DATABASE_URL ? null : await startOwnPostgres(env.PATHWAY_DATA_DIR);
  const masterKeys =
    env.PATHWAY_MASTER_KEYS ?? (ownDatabase && ownMasterKeys(env.PATHWAY_DATA_DIR));
  if (!masterKeys)
    throw new Error(
      "Set PATHWAY_MASTER_KEYS: with a database of its own, Pathway needs a key of its own.",
    );
  const access = ownDatabase ? await prepareOwnDatabase(ownDatabase.url, env) : readAccess(env);
  const { processUrl } = access;
  await naming("DATABASE_URL", access.databaseUrl, () => awaitWritable(access.databaseUrl, logger));
  await checkLogins(access, env.PATHWAY_ROLES);
  crashPoint("process.after-migrate");
  const keyStore = await openKeyStore(env, access);
  const connections = shareConnections(env.DATABASE_POOL_SIZE);
  const app = compose(env, { access, connections, masterKeys, keyStore, logger });
  await app.clock.start();
  alignDate(app.clock);
  const vitals = watchVitals({
    pool: app.database.pool,
    logger,
    onHang(loop) {
      logger.fatal({ loop }, "a background loop hangs although the database answers");
      process.exit(1);
    },
  });
  // Open before the job engine is there: starting may take long, and somebody may want to know.
  const pools: MetricsOptions["pools"] = {
    app: app.database.pool,
    tenants: app.database.tenantPool,
    intake: app.intakePool,
  };
  const admin = await openAdminPort(vitals, {
    port: env.PATHWAY_ADMIN_PORT,
    host: env.PATHWAY_ADMIN_HOST,
    roles: env.PATHWAY_ROLES,
    metrics: createMetrics({ pools, clock: app.clock, roles: env.PATHWAY_ROLES, vitals, logger }),
  });
  const keys = watchDestroyedKeys({ databaseUrl: processUrl, sealers: app.sealers, logger });
  vitals.watch(() => (keys.isListening() ? null : "notifications_lost"));
  await afterStart(app);
  const isWorker = env.PATHWAY_ROLES.includes("worker");
  const isWeb = env.PATHWAY_ROLES.includes("web");
  // Senders need an answer sooner than jobs need a worker.
  const server = isWeb ? await listen(app, vitals) : null;
  // Loaded only now: what works in the background is half of the code. In two parts, for nobody is answered during either.
  await delay(CALLERS_FIRST_MS);
  await Promise.all([
    import("./tenant-rows.ts"),
    // Used by composition.server.ts: a file that can't be loaded has to fail the start, not the first call hours later.
    import("./clients/referral-service/client.ts"),
  ]);
  await delay(CALLERS_FIRST_MS);
  // Before the first job: what the lost database has mailed is not mailed again.
  if (isWorker) await app.mailJournal.beat().catch(tolerate(logger, "mail-journal.first"));
  const { startBackground } = await import("./background.ts");
  const background = await startBackground(app, { access, connections, vitals, isWorker });
  pools.jobs = background.jobs;
  const { pool } = app.database;
  const keyPorts = { pool, sealers: app.sealers, columns: SEALED_COLUMNS, logger };
  const keyMaintenance = startKeyMaintenance(keyPorts, vitals.loop("keys", KEYS_EVERY_MS), {
    isWorker,
  });
  const refusals = startRefusalLog(app.refusals, vitals.loop("refusals", REFUSALS_EVERY_MS));
  const calls = startCallLog(app.callLog, vitals.loop("calls", CALLS_EVERY_MS));
  const heartbeats = startHeartbeats({
    ...{ pool, vitals, clock: app.clock, roles: env.PATHWAY_ROLES },
    loop: vitals.loop("heartbeat", BEAT_EVERY_MS),
    logger,
  });
  const work = async () => {
    await noteServing(pool, keyStore);
    await app.mailJournal.beat();
  };
  const kept = keepOutside(
    { journal: app.restoreJournal, work: isWorker ? work : undefined },
    vitals.loop("key-folder", KEEP_EVERY_MS),
  );
  const readiness = watchReadiness({
    ...{ pool, tryTenant: app.tryTenant, vitals, logger },
    intake: isWeb
      ? {
          pool: app.intakePool,
          isFailing: app.isIntakeFailing,
          onLooked: app.noteIntakeElsewhere,
        }
      : undefined,
  });
  vitals.ready();
  crashPoint("process.before-ready");
  logger.info({ roles: env.PATHWAY_ROLES, port: env.PORT }, "ready");

  endNoMore();
  stopOnSignal(logger, async () => {
    vitals.stop();
    background.rest();
    keyMaintenance.stop();
    readiness.stop();
    const graceMs = env.PATHWAY_STOP_GRACE_MS;
    const patience = { graceMs, abortMs: ABORT_MS, onImpatient: app.abortCreates };
    const stopServing = async () => {
      if (!server) return;
      // Unready by now. Whoever spreads requests needs a moment to see it, and sends some until then.
      await delay(env.PATHWAY_DRAIN_MS);
      await closeServer(server);
    };
    await Promise.all([stopServing(), background.drain(patience)]);
    await refusals.stop().catch((error: unknown) => {
      logger.error({ err: error }, "refusals could not be written down");
    });
    await calls.stop().catch((error: unknown) => {
      logger.error({ err: error }, "what calls came to could not be written down");
    });
    await background.stop();
    await keys.stop();
    await heartbeats.stop();
    await kept.stop();
    // Links of the last seconds may open twice after a restore, and mails be sent twice, should they not be kept.
    await app.restoreJournal.beat().catch(tolerate(logger, "restore-journal.last"));
    if (isWorker) await app.mailJournal.beat().catch(tolerate(logger, "mail-journal.last"));
    app.clock.stop();
    await app.intakePool.end();
    await app.database.close();
    await ownDatabase?.stop();
    admin.close();
    await traces?.stop();
  });
}

/** Traces only where a collector is set: everybody else does not even load it. */
async function startTracing(env: ProcessSettings, logger: Logger): Promise<Traces | null> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return null;
  const { startTraces } = await import("./platform/start-traces.ts");
  return startTraces({
    ...{ endpoint, headers: env.OTEL_EXPORTER_OTLP_HEADERS, ratio: env.OTEL_TRACES_SAMPLER_ARG },
    ...{ roles: env.PATHWAY_ROLES, logger },
  });
}

/** Opens this database's part of the folder of keys. */
async function openKeyStore(
  env: ProcessSettings,
  { processUrl, tenantKey }: DatabaseAccess,
): Promise<KeyStore> {
  const folder = createKeyFolder(env.PATHWAY_KEY_DIR ?? join(env.PATHWAY_DATA_DIR, "keys"));
  const client = new LimitedClient({ ...CONNECTION_LIMITS, connectionString: processUrl });
  await client.connect();
  try {
    await client.query(SETTLE_SESSION);
    await enterProcess(client, tenantKey);
    return await bindKeyStore(client, folder);
  } finally {
    await client.end();
  }
}

/** Does what a database may need before anything else: a restored one, or one under an older key. */
async function afterStart({
  env,
  database,
  masterKeys,
  epochs,
  logger,
  onRestored,
}: App): Promise<void> {
  const { pool } = database;
  const asked = env.PATHWAY_START_PAUSED_UNTIL_SYNCED;
  const restored = await pauseAfterRestore(pool, { asked });
  if (restored.because) {
    onRestored(restored);
    const done = await recoverAllKeys({
      ...{ ask: askPool(pool), epochs },
      onFailed(shop, err) {
        const { files } = err instanceof NotesDamaged ? err : {};
        logger.error({ shop, err, files }, "keys of a restored shop are not there");
        if (isKeyTrouble(err)) countKeyTrouble(err);
      },
    });
    logger.warn(done, "keys of the restored database are compared with the folder of keys");
  }
  const keys = await rewrapKeys({ pool, logger }, masterKeys, epochs);
  if (keys.rewrapped > 0) logger.info(keys, "keys wrapped by the active master key");
  if (keys.unreadable > 0)
    logger.error(keys, "keys whose master key is not in PATHWAY_MASTER_KEYS");
}

function listen(app: App, vitals: Pick<Vitals, "isStopping" | "reasons">): Promise<Server> {
  const { isStopping } = vitals;
  const answersHealth = createHealthCheck(app.database.pool, vitals);
  const pages = createPages(app);
  const { headersMs, requestMs, checkEveryMs, mostKept } = SOCKET_LIMITS;
  // Somebody who never ends a request must not have a place for ever.
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
  };
  const https = app.env.SHOPIFY_APP_URL.startsWith("https:");
  const server = createServer(limits, (request, response) => {
    addHeaders(response, { https });
    closeWhenMany(response);
    // The next request on this connection might meet its end.
    if (isStopping()) response.setHeader("connection", "close");
    closeAfterLargeBody(request, response);
    if (app.intake(request, response) || answersHealth(request, response)) return;
    if (answersLive(request, response)) return;
    traceAnswer(request, response, {
      logger: app.logger,
      answer: () => pages(request, response),
    });
  });
  const closeWhenMany = keepConnections(server, {
    idleMs: app.env.PATHWAY_KEEP_ALIVE_MS,
    most: mostKept,
  });
  return new Promise((resolve, reject) => {
    const { PORT, PATHWAY_HOST } = app.env;
    server.once("error", reject).listen(PORT, PATHWAY_HOST, () => resolve(server));
  });
}

/** Takes no new connections and lets the answers under way end. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), CLOSE_MS).unref();
  await closed;
}

/** Nobody knows what such an error has left behind, so the process ends; its message may quote what somebody typed. */
function endOnUnheardError(logger: Logger): void {
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "an error that nobody heard");
    process.exit(1);
  });
}

function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      logger.info({ signal }, "stopping");
      crashPoint("process.stopping");
      // Whatever hangs must not keep the process: what was committed is safe, the rest is done again.
      setTimeout(() => process.exit(1), STOP_MS).unref();
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, "stopped badly");
          process.exit(1);
        },
      );
    });
}
