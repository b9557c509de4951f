import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../sandbox/world/ports.ts";

/** A program of one version. Without `path` it is not here, and a test that needs it is skipped. */
export interface PgBouncerBuild {
  title: string;
  path?: string;
  /** Whether it gives the connection of each transaction the named statements of its client, unless it is told otherwise. */
  keepsNames: boolean;
}

/** Debian 12's, which knows no named statements in transaction mode, and one that does (tools/build-pgbouncer.sh). */
export const PGBOUNCERS = [
  look("an installed PgBouncer", ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]),
  look("a PgBouncer of tools/build-pgbouncer.sh", [resolve(".cache/pgbouncer")]),
] as const;

function look(what: string, paths: readonly string[]): PgBouncerBuild {
  for (const path of paths) {
    const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    if (status !== 0) continue;
    const [title = what, major, minor] = /^PgBouncer (\d+)\.(\d+).*/.exec(stdout) ?? [];
    return { path, title, keepsNames: Number(major) * 100 + Number(minor) >= 121 };
  }
  process.stderr.write(`${what} is not here: transactions through it are left out\n`);
  return { title: what, keepsNames: false };
}

/** The login that looks at it and stops it; the proxy's own, and no role of the server. */
const ADMIN = "proxy_admin";
const START_MS = 20_000;

export interface ProxySettings {
  mode: "transaction" | "session";
  /** Connections to PostgreSQL for each login: with two, transactions of many clients share them. */
  connections: number;
  /** How many clients it takes. */
  clients?: number;
  /** More lines of its settings. */
  more?: string;
}

/** A PgBouncer before a PostgreSQL that believes everybody on this machine. */
export interface PgBouncer {
  /** The same address as the server's own, through the proxy. */
  url: string;
  /** Tells it something, as whoever runs it: PAUSE, RESUME, RECONNECT, SHOW … */
  tell(command: string): Promise<Record<string, unknown>[]>;
  /** Ends it without a word, or starts it on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts one, whose files lie in `folder`: whoever else it runs as has to be able to read them. */
export async function startPgBouncer(
  { path = "" }: PgBouncerBuild,
  folder: string,
  databaseUrl: string,
  { mode, connections, clients = 100, more = "" }: ProxySettings,
): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const settings = join(folder, `${port}.ini`);
  const passwords = ["pathway_web", "pathway_worker", "pathway_intake", target.username, ADMIN];
  writeFileSync(join(folder, "users"), passwords.map((name) => `"${name}" ""\n`).join(""));
  writeFileSync(
    settings,
    `[databases]
${target.pathname.slice(1)} = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users")}
admin_users = ${ADMIN}
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = ${clients}
${more}
`,
  );
  const url = Object.assign(new URL(databaseUrl), { port: String(port) });
  const adminUrl = Object.assign(new URL(url), { username: ADMIN, pathname: "/pgbouncer" });
  const tell = async (command: string) => {
    const client = new pg.Client(adminUrl.href);
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(command)).rows;
    } finally {
      await client.end();
    }
  };
  let running: ChildProcess | null = null;
  const proxy: PgBouncer = {
    ...{ url: url.href, tell },
    async start() {
      // It refuses to run as root.
      const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
      const started = spawn(path, [...asNobody, settings], { stdio: "ignore" });
      running = started;
      for (const giveUpAt = performance.now() + START_MS; ; await delay(100))
        try {
          await tell("SHOW VERSION");
          return;
        } catch (error) {
          if (performance.now() > giveUpAt || started.exitCode !== null) throw error;
        }
    },
    async kill() {
      const ending = running;
      running = null;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = once(ending, "exit");
      ending.kill("SIGKILL");
      await ended;
    },
  };
  await proxy.start();
  return proxy;
}
