import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrateDatabase } from "../../app/migrate-database.ts";
import { type RunningPostgres, startPostgres } from "../../tools/embedded-postgres.ts";

/** Shops that are spread by ops/citus/distribute.sql over two nodes and the coordinator that leads to them. */
export interface CitusCluster extends AsyncDisposable {
  /** The owner logs in with this, on the coordinator. */
  url: string;
  nodeUrls: string[];
}

const DEBIAN = "/usr/lib/postgresql";
const SCRIPT = fileURLToPath(new URL("../../ops/citus/distribute.sql", import.meta.url));
const FLAGS = [
  ...["-c", "shared_preload_libraries=citus", "-c", "citus.node_conninfo=sslmode=disable"],
  // A transaction that writes on several nodes is prepared on each before it is committed.
  ...["-c", "max_prepared_transactions=400", "-c", "max_connections=400", "-c", "fsync=off"],
  ...["-c", "citus.shard_count=8", "-c", "citus.enable_statistics_collection=off"],
];

/** The folder of a PostgreSQL with Citus, of Debian's or `PATHWAY_CITUS_POSTGRES`; null where none is. */
export function findCitus(): string | null {
  const given = process.env.PATHWAY_CITUS_POSTGRES;
  if (given) return given;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().reverse() : [];
  const folders = versions.map((version) => join(DEBIAN, version));
  return folders.find((folder) => existsSync(join(folder, "lib/citus.so"))) ?? null;
}

/** Starts three servers, migrates the coordinator's database and spreads it. */
export async function startCitus(native: string): Promise<CitusCluster> {
  const folder = mkdtempSync(join(tmpdir(), "pathway-citus-"));
  const servers: RunningPostgres[] = [];
  const stop = async () => {
    for (const server of servers) {
      await server.stop();
      rmSync(server.dir, { recursive: true, force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const name of ["coordinator", "first", "second"])
      servers.push(await startPostgres({ dir: join(folder, name), port: 0, flags: FLAGS, native }));
    for (const { url } of servers) await ask(url, "CREATE EXTENSION citus");
    const [url = "", ...nodeUrls] = servers.map((server) => server.url);
    const portOf = (address: string) => Number(new URL(address).port);
    await ask(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${portOf(url)})`);
    for (const node of nodeUrls)
      await ask(url, `SELECT citus_add_node('127.0.0.1', ${portOf(node)})`);
    await migrateDatabase(url);
    distribute(url, native);
    return { url, nodeUrls, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Does as an operator after each migration (docs/operations.md). */
export function distribute(url: string, native: string): void {
  const args = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", SCRIPT];
  execFileSync(join(native, "bin/psql"), args, { stdio: ["ignore", "ignore", "pipe"] });
}

/** Answers with the rows of the last statement. */
export async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const answer = (await client.query(text)) as pg.QueryResult | pg.QueryResult[];
    return [answer].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}
