import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { APP } from "../../sandbox/world/app-command.ts";
import { appEnvironment } from "../../sandbox/world/app-environment.ts";
import { connectDrivers } from "../../sandbox/world/drivers/connect-drivers.ts";
import { eventually } from "../../sandbox/world/eventually.ts";
import { lastLines } from "../../sandbox/world/log-file.ts";
import { migrateWorld, type WorldAccess } from "../../sandbox/world/migrate.ts";
import { freePort } from "../../sandbox/world/ports.ts";
import { signal } from "../../sandbox/world/process-life.ts";
import { startProgram } from "../../sandbox/world/program.ts";
import type { Reaper } from "../../sandbox/world/reaper-client.ts";
import { startRoundRobin } from "../../sandbox/world/round-robin.ts";
import { keepService, keepStore } from "../../sandbox/world/servers.ts";
import { createSupervisor } from "../../sandbox/world/supervisor.ts";
import { openWorldFolder } from "../../sandbox/world/world-folder.ts";
import { startPostgres } from "../../tools/embedded-postgres.ts";
import { readMetrics, type Sample } from "../harness/metrics.ts";
import { connectSql } from "../harness/sql.ts";
import { makeDataFolder } from "../setup/data-folder.ts";

const PATIENCE = { timeoutMs: 120_000 };

/** Short waits, so that what was put off is done within the test. */
const SETTINGS = {
  PATHWAY_CREATE_TIMEOUT_MS: "20000",
  PATHWAY_SYNC_INTERVAL_MS: "2000",
  LOG_LEVEL: "info",
};

/** A version that processes are started of: this one, unless it is in a folder. */
export interface Version {
  name: "former" | "this";
  folder?: string;
}

/** A process of one version that only serves, or only works. */
export interface VersionProcess {
  name: string;
  /** The sum of its samples of this name that have these labels. */
  counted(name: string, labels: Record<string, string>): Promise<number>;
  /** Asks it to end as an orchestrator does, and waits until it has. Answers in words how it ended. */
  end(): Promise<string>;
}

const ERROR = 50;
const logLine = z.looseObject({
  level: z.number(),
  err: z.looseObject({ code: z.string().optional() }).optional(),
});
/** PostgreSQL ended a process's look at it for the sake of a migration. The next look, seconds later, finds all well. */
const ENDED_FOR_A_MIGRATION = { code: "40P01", reason: "tenant_refused" };

/**
 * An empty database, the service, the store and a proxy; the app's processes are started one by one, of either version. A web
 * process of each version stands behind the proxy. Whatever runs ends with `reaper`, after `close`.
 */
export async function openTwoVersions(reaper: Reaper) {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const supervisor = createSupervisor({ reaper, verbose: false, say });
  const files = await openWorldFolder({
    throwAway: true,
    removeAtEnd: (path) => reaper.remove(path),
  });
  const data = makeDataFolder("pathway-rollout-");
  reaper.remove(data);
  const postgres = await startPostgres({
    dir: join(data, "postgres"),
    port: 0,
    flags: ["-c", "fsync=off", "-c", "full_page_writes=off"],
  });
  reaper.watch(postgres.pid, "database");
  reaper.remove(postgres.dir);
  const appPort = await freePort();
  const appUrl = addressOf(appPort);
  const [{ ready: service }, { ready: store }] = await Promise.all([
    keepService(supervisor, files, await freePort()),
    keepStore(supervisor, files, { port: await freePort(), appUrl, accounts: "new" }),
  ]);
  const webPorts = { former: await freePort(), this: await freePort() };
  const closeProxy = await startRoundRobin(
    appPort,
    [webPorts.former, webPorts.this].map(addressOf),
  );
  const sql = connectSql(postgres.url);
  const logs = new Set<string>();
  let access: WorldAccess | undefined;

  const start = async (
    version: Version,
    role: "web" | "worker",
    number = 1,
  ): Promise<VersionProcess> => {
    if (!access) throw new Error("Nobody has migrated the database yet");
    const adminPort = await freePort();
    const name = `${role} ${number} of ${version.name}`;
    const logFile = files.logFile(name);
    logs.add(logFile);
    const environment = appEnvironment({
      ...{ port: role === "web" ? webPorts[version.name] : await freePort(), adminPort, appUrl },
      ...{ isBehindProxy: true, access, dataDir: join(files.folder, "app") },
      ...{ masterKeys: files.masterKeys, service, store, quarantineMs: 500, mailWindowMs: 1_000 },
    });
    const program = startProgram({
      ...{ name, folder: version.folder, ...APP, printsReadyLine: false, logFile },
      nodeFlags: role === "web" ? APP.nodeFlags : [...APP.nodeFlags, ...APP.workerFlags],
      env: { ...APP.env, ...environment, ...SETTINGS, PATHWAY_ROLES: role },
    });
    reaper.watch(program.pid, "client");
    const ended = program.ended.then((how) => {
      reaper.forget(program.pid);
      return how;
    });
    const adminUrl = addressOf(adminPort);
    await Promise.race([
      eventually(async () => expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200), {
        what: `the ${name}`,
        ...PATIENCE,
      }),
      ended.then((how) => {
        throw new Error(`The ${name} ${how} before it was ready\n${lastLines(logFile)}`);
      }),
    ]);
    return {
      name,
      async counted(sample, labels) {
        const samples = readMetrics(await (await fetch(`${adminUrl}/metrics`)).text());
        return sumOf(samples, sample, labels);
      },
      async end() {
        signal(program.pid, "SIGTERM");
        return ended;
      },
    };
  };

  return {
    ...connectDrivers({ appUrl, service, store }),
    ...{ appUrl, ready: { service, store }, sql },
    /** As `npm run migrate` of that version. */
    async migrate({ folder }: Version) {
      access = await migrateWorld({ reaper, files, ownerUrl: postgres.url, folder });
    },
    start,
    /** The lines of all processes so far that tell of an error. */
    errors: () => [...logs].flatMap(errorsIn),
    async close() {
      closeProxy();
      await sql.close();
      supervisor.stopStarting();
    },
  };
}

export type TwoVersions = Awaited<ReturnType<typeof openTwoVersions>>;

const addressOf = (port: number) => `http://127.0.0.1:${port}`;

function sumOf(samples: Sample[], name: string, labels: Record<string, string>): number {
  const wanted = Object.entries(labels);
  const found = samples.filter(
    (one) => one.name === name && wanted.every(([key, value]) => one.labels[key] === value),
  );
  return found.reduce((sum, { value }) => sum + value, 0);
}

function errorsIn(file: string): string[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.filter((line) => {
    const { level, err, reason } = readLine(line);
    const isLook =
      err?.code === ENDED_FOR_A_MIGRATION.code && reason === ENDED_FOR_A_MIGRATION.reason;
    return level >= ERROR && !isLook;
  });
}

/** A line that is not of the log, such as the last words of a process, counts as an error. */
function readLine(line: string): z.infer<typeof logLine> {
  try {
    return logLine.parse(JSON.parse(line));
  } catch {
    return { level: ERROR };
  }
}
