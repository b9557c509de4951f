import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../sandbox/world/ports.ts";
import { startPostgres } from "../../tools/embedded-postgres.ts";
import { startProxy } from "./switchable-proxy.ts";

/** PostgreSQL with an asynchronous standby, behind an address that stays the same. */
export interface ReplicatedPostgres extends AsyncDisposable {
  url: string;
  /** The standby's own address. */
  standbyUrl: string;
  /** From now on the standby learns nothing more. */
  freezeReplication(): void;
  /** The primary is killed and the standby promoted; the address leads to the standby from then on. */
  failOver(): Promise<void>;
}

const STREAMING =
  "SELECT count(*)::int AS count FROM pg_stat_replication WHERE state = 'streaming'";

/** Starts both; resolves once the standby follows. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "pathway-failover-"));
  // The standby is a copy of the primary's folder, made while that is stopped.
  // Its own for as long as this process lives: the primary comes back to it.
  const port = await freePort();
  const first = await startPostgres({ dir: join(folder, "primary"), port });
  await first.stop();
  const standbyDir = `${first.dir}-standby`;
  execFileSync("cp", ["-a", first.dir, standbyDir]);
  const replication = await startProxy(port);
  appendFileSync(
    join(standbyDir, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${replication.port} user=postgres'\n`,
  );
  writeFileSync(join(standbyDir, "standby.signal"), "", { mode: 0o666 });
  const primary = await startPostgres({ dir: first.dir, port });
  const standby = await startPostgres({ dir: standbyDir, port: 0 });
  await until(async () => (await ask(primary.url, STREAMING))?.count === 1);
  const endpoint = await startProxy(port);
  const url = new URL(primary.url);
  url.port = String(endpoint.port);

  return {
    url: url.href,
    standbyUrl: standby.url,
    freezeReplication: () => replication.freeze(),
    async failOver() {
      process.kill(primary.pid, "SIGKILL");
      endpoint.lead(null);
      // Anything held back on its way is lost with the primary.
      replication.lead(null);
      await ask(standby.url, "SELECT pg_promote(true, 30)");
      await until(async () => {
        const row = await ask(standby.url, "SELECT pg_is_in_recovery() AS standby");
        return row?.standby === false;
      });
      endpoint.lead(Number(new URL(standby.url).port));
    },
    async [Symbol.asyncDispose]() {
      await endpoint[Symbol.asyncDispose]();
      await replication[Symbol.asyncDispose]();
      await standby.stop();
      await primary.stop();
      for (const dir of [folder, first.dir, standbyDir])
        rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, statement: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows[0];
  } finally {
    await client.end();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 1200; !(await isSo()); tries--) {
    if (tries === 0) throw new Error("The standby does not follow, or was not promoted");
    await delay(100);
  }
}
