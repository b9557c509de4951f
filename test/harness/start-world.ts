import { fileURLToPath } from "node:url";
import { connectDrivers, type Drivers } from "../../sandbox/world/drivers/connect-drivers.ts";
import { readReadyLine } from "../../sandbox/world/ready-lines.ts";
import {
  type Processes,
  processesSchema,
  type WorldLine,
  worldLineSchema,
} from "../../sandbox/world/world-line.ts";
import { type HeadlessWorld, startHeadless } from "./headless.ts";
import { connectSql, type Sql } from "./sql.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

export interface StartWorldOptions {
  /** Extra worker processes. */
  workers?: number;
  /** Extra processes that only serve: all of them then stand behind a round-robin proxy. */
  webs?: number;
  /** Instead of an embedded database. */
  databaseUrl?: string;
  /** The same PostgreSQL without the pooling proxy that `databaseUrl` leads through. */
  directDatabaseUrl?: string;
  quarantineMs?: number;
  /** The kind of customer accounts; new unless said otherwise. */
  accounts?: "new" | "legacy";
  /** Nobody has installed the app yet; the world's line then names no products. */
  uninstalled?: boolean;
  /** Further settings of the app, for example PATHWAY_SYNC_INTERVAL_MS. */
  env?: Record<string, string>;
  timeoutMs?: number;
}

/**
 * A running world with the app installed, connected and its products mapped (unless asked otherwise), and everybody who
 * can act in it.
 */
export interface TestWorld extends Drivers {
  line: WorldLine;
  /** On the world's database. */
  sql: Sql;
  /** The process ids of the moment. */
  processes(): Promise<Processes>;
  /** Returns the world's standard error so far (its last part). */
  said(): string;
  /** Ends every process and removes the data; may be called more than once. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts `node sandbox/demo.ts --headless` and resolves once it is ready. The app must have been built.
 * Rejects with what the world said when it does not come up.
 */
export async function startWorld(options: StartWorldOptions = {}): Promise<TestWorld> {
  const { env, timeoutMs } = options;
  const args = argumentsOf(options);
  const world = await startHeadless({ folder: REPOSITORY, args, env, timeoutMs });
  const line = await readLine(world);
  const sql = connectSql(line.owner_database_url);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= sql.close().then(world.stop);
    return stopping;
  };
  return {
    ...connectDrivers({ appUrl: line.app_url, service: line.service, store: line.store }),
    line,
    sql,
    processes: async () => {
      const answer = await fetch(`${line.supervisor_url}/processes`);
      return processesSchema.parse(await answer.json());
    },
    said: world.said,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function readLine(world: HeadlessWorld): Promise<WorldLine> {
  try {
    return readReadyLine("The world", worldLineSchema, world.line);
  } catch (error) {
    await world.stop();
    throw error;
  }
}

function argumentsOf(options: StartWorldOptions): string[] {
  const { workers, webs, databaseUrl, directDatabaseUrl, quarantineMs } = options;
  const { accounts, uninstalled = false } = options;
  return [
    ...(workers === undefined ? [] : ["--workers", String(workers)]),
    ...(webs === undefined ? [] : ["--webs", String(webs)]),
    ...(databaseUrl === undefined ? [] : ["--database-url", databaseUrl]),
    ...(directDatabaseUrl === undefined ? [] : ["--direct-database-url", directDatabaseUrl]),
    ...(quarantineMs === undefined ? [] : ["--quarantine-ms", String(quarantineMs)]),
    ...(accounts === undefined ? [] : ["--accounts", accounts]),
    ...(uninstalled ? ["--uninstalled"] : []),
  ];
}
