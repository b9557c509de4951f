import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connectDrivers, type Drivers } from "../../sandbox/world/drivers/connect-drivers.ts";
import { readReadyLine } from "../../sandbox/world/ready-lines.ts";
import {
  type Processes,
  processesSchema,
  type WorldLine,
  worldLineSchema,
} from "../../sandbox/world/world-line.ts";
import { connectSql, type Sql } from "./sql.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const STOP_TIMEOUT_MS = 30_000;
const KEPT_STDERR_CHARS = 16_000;

export interface StartWorldOptions {
  /** Extra worker processes. */
  workers?: number;
  /** Extra processes that only serve: all of them then stand behind a round-robin proxy. */
  webs?: number;
  /** Instead of an embedded database. */
  databaseUrl?: string;
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
  const child = spawn(process.execPath, ["sandbox/demo.ts", ...argumentsOf(options)], {
    cwd: REPOSITORY,
    // Its end must not depend on our good manners: a killed test run ends its worlds too.
    env: { ...process.env, ...options.env, PATHWAY_WORLD_ENDS_WITH_PARENT: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-KEPT_STDERR_CHARS);
  });
  const exited = once(child, "exit");
  const stopProcess = () => stopChild(child, exited);

  let line: WorldLine;
  try {
    const text = await firstLine(child, exited, options.timeoutMs ?? 90_000);
    line = readReadyLine("The world", worldLineSchema, text);
  } catch (cause) {
    await stopProcess();
    throw new Error(`The world did not come up: ${String(cause)}\n${said}`, { cause });
  }

  const sql = connectSql(line.owner_database_url);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= sql.close().then(stopProcess);
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
    said: () => said,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function argumentsOf(options: StartWorldOptions): string[] {
  const { workers, webs, databaseUrl, quarantineMs, accounts, uninstalled = false } = options;
  return [
    "--headless",
    ...(workers === undefined ? [] : ["--workers", String(workers)]),
    ...(webs === undefined ? [] : ["--webs", String(webs)]),
    ...(databaseUrl === undefined ? [] : ["--database-url", databaseUrl]),
    ...(quarantineMs === undefined ? [] : ["--quarantine-ms", String(quarantineMs)]),
    ...(accounts === undefined ? [] : ["--accounts", accounts]),
    ...(uninstalled ? ["--uninstalled"] : []),
  ];
}

async function firstLine(
  child: ChildProcess,
  exited: Promise<unknown[]>,
  timeoutMs: number,
): Promise<string> {
  if (child.stdout === null) throw new Error("no standard output");
  const lines = createInterface({ input: child.stdout });
  const [text] = await Promise.race([
    once(lines, "line", { signal: AbortSignal.timeout(timeoutMs) }),
    exited.then(([code]) => {
      throw new Error(`it ended with code ${String(code)}`);
    }),
  ]);
  return String(text);
}

async function stopChild(child: ChildProcess, exited: Promise<unknown[]>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(impatience);
}
