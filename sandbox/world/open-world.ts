import { join } from "node:path";
import { appEnvironment } from "./app-environment.ts";
import type { WorldOptions } from "./arguments.ts";
import { type Database, keepDatabase } from "./database.ts";
import { migrateWorld } from "./migrate.ts";
import { claimPort, FIXED_PORTS, freePort } from "./ports.ts";
import { serveProcesses } from "./processes-server.ts";
import type { ServiceReady, StoreReady } from "./ready-lines.ts";
import type { Reaper } from "./reaper-client.ts";
import { startRoundRobin } from "./round-robin.ts";
import { keepApp, keepService, keepStore, keepWeb, keepWorker } from "./servers.ts";
import { createSupervisor, type KeptProgram, type Supervisor } from "./supervisor.ts";
import { openWorldFolder } from "./world-folder.ts";
import type { Processes } from "./world-line.ts";

/** The running servers, before anything is installed or mapped. */
export interface World {
  appUrl: string;
  webUrls: string[];
  service: ServiceReady;
  store: StoreReady;
  /** What web logs in with. */
  databaseUrl: string;
  ownerDatabaseUrl: string;
  supervisorUrl: string;
  adminUrls: { app: string; workers: string[] };
  /** The folder in which the app notes the heads of its access logs. */
  auditDir: string;
  processes(): Processes;
}

export interface OpenWorld {
  options: WorldOptions;
  reaper: Reaper;
  say: (line: string) => void;
}

/**
 * Starts database, referral service, store, app and extra workers, and resolves when all of them are ready.
 * The supervisor must stop starting before the reaper is told to finish.
 */
export function openWorld({ options, reaper, say }: OpenWorld): {
  world: Promise<World>;
  supervisor: Supervisor;
} {
  const supervisor = createSupervisor({ reaper, verbose: options.verbose, say });
  return { world: start({ options, reaper, say, supervisor }), supervisor };
}

async function start(start: OpenWorld & { supervisor: Supervisor }): Promise<World> {
  const { options, reaper, say, supervisor } = start;
  const files = await openWorldFolder({
    throwAway: options.mode !== "stay",
    removeAtEnd: (path) => reaper.remove(path),
  });

  const port = (program: keyof typeof FIXED_PORTS) =>
    options.mode === "stay" ? claimPort(program, FIXED_PORTS[program], say) : freePort();
  const appPort = await port("app");
  const appUrl = addressOf(appPort);

  const [database, service, store] = await Promise.all([
    options.databaseUrl === undefined
      ? keepDatabase({ supervisor, reaper, files, port: await port("database") })
      : foreignDatabase(options.directDatabaseUrl ?? options.databaseUrl),
    keepService(supervisor, files, await port("service")),
    keepStore(supervisor, files, {
      ...{ port: await port("store"), appUrl },
      accounts: options.accounts,
    }),
  ]);

  const access = await migrateWorld({
    ...{ reaper, files, ownerUrl: database.url },
    proxyUrl: options.directDatabaseUrl && options.databaseUrl,
  });
  const environmentAt = (webPort: number, adminPort: number) =>
    appEnvironment({
      port: webPort,
      adminPort,
      appUrl,
      isBehindProxy: options.webs > 0,
      access,
      dataDir: join(files.folder, "app"),
      masterKeys: files.masterKeys,
      service: service.ready,
      store: store.ready,
      quarantineMs: options.quarantineMs,
      mailWindowMs: options.mailWindowMs,
    });
  const appAdminPort = await freePort();
  const ownPort = options.webs > 0 ? await freePort() : appPort;
  const webUrls = [addressOf(ownPort)];
  const ownEnvironment = environmentAt(ownPort, appAdminPort);
  const app = await keepApp(supervisor, files, addressOf(ownPort), ownEnvironment);
  const webs: KeptProgram[] = [];
  for (let index = 1; index <= options.webs; index++) {
    const webPort = await freePort();
    const url = addressOf(webPort);
    const environment = environmentAt(webPort, await freePort());
    webs.push(await keepWeb(supervisor, files, { index, url }, environment));
    webUrls.push(url);
  }
  if (options.webs > 0) await startRoundRobin(appPort, webUrls);
  const workers: KeptProgram[] = [];
  const workerAdminPorts: number[] = [];
  for (let index = 1; index <= options.workers; index++) {
    const adminPort = await freePort();
    const environment = environmentAt(await freePort(), adminPort);
    workers.push(await keepWorker(supervisor, files, index, environment));
    workerAdminPorts.push(adminPort);
  }

  const processes = (): Processes => ({
    app: app.pid(),
    workers: workers.map((worker) => worker.pid()),
    webs: webs.map((web) => web.pid()),
    service: service.program.pid(),
    store: store.program.pid(),
    database: database.pid(),
  });
  return {
    appUrl,
    webUrls,
    service: service.ready,
    store: store.ready,
    databaseUrl: access.webUrl,
    ownerDatabaseUrl: database.url,
    adminUrls: { app: addressOf(appAdminPort), workers: workerAdminPorts.map(addressOf) },
    auditDir: join(files.folder, "app", "audit"),
    supervisorUrl: await serveProcesses(processes),
    processes,
  };
}

const addressOf = (port: number) => `http://127.0.0.1:${port}`;

function foreignDatabase(url: string): Database {
  return { url, pid: () => null };
}
