import { join } from "node:path";
import pg from "pg";
import { INSTALLATION } from "../modules/kernel/access-chain.ts";
import { CONNECTION_LIMITS } from "../platform/database/limited-client.ts";
import { withFiles } from "../platform/env.ts";

/** A mistake of whoever types the command: told without a stack. */
export class CommandError extends Error {}

/** Whether somebody wants to know how a command is called, and nothing done. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.some((word) => word === "--help" || word === "-h");

/** The address at which a command logs in: the one that it was given, or PostgreSQL itself, or the only one. */
export function ownersAddress(given: string | undefined): string {
  const address = given || process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL;
  if (!address)
    throw new CommandError("Set DATABASE_URL, or name the database with --database-url.");
  return address;
}

/** Connects a command, as the owner, to the database that `--database-url`, `DATABASE_DIRECT_URL` or `DATABASE_URL` names. */
export async function connect(url: string | undefined): Promise<pg.Client> {
  const connectionString = ownersAddress(url);
  // A verification reads for minutes, and each of its statements is short.
  const client = new pg.Client({ ...CONNECTION_LIMITS, query_timeout: 60_000, connectionString });
  await client.connect();
  try {
    await requireOwner(client);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

/** Throws `CommandError` for a login that row-level security shows nothing: a command would find all well. */
export async function requireOwner(client: Pick<pg.Client, "query">): Promise<void> {
  const { rows } = await client.query<{ isBlind: boolean }>(
    `SELECT NOT pg_has_role(session_user, relowner, 'MEMBER') AND row_security_active(oid) AS "isBlind"
     FROM pg_class WHERE oid = 'access_log'::regclass`,
  );
  if (rows[0]?.isBlind)
    throw new CommandError(
      "This login sees no shop: name the database as its owner, as for `npm run migrate`.",
    );
}

/** The folder of the anchor files: beside the keys, outside the database. */
export const anchorFolder = (given: string | undefined): string =>
  given ?? process.env.PATHWAY_AUDIT_DIR ?? join(process.env.PATHWAY_DATA_DIR ?? ".data", "audit");

/** Runs `work` in one transaction that sees the database as it is at this moment, and changes nothing. */
export async function inSnapshot<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await work();
  } finally {
    await client.query("ROLLBACK");
  }
}

/** Writes down in the installation's log that an operator has run a command. `detail`: codes, counts and days. */
export async function recordCommand(
  client: Pick<pg.Client, "query">,
  command: string,
  detail: Record<string, string | number | boolean | null> = {},
): Promise<void> {
  const operator = process.env.SUDO_USER ?? process.env.USER ?? null;
  await client.query(
    `INSERT INTO access_log (shop, at, who, what, detail) VALUES ($1, now(), 'operator', 'operator_command', $2)`,
    [INSTALLATION, { command, operator, ...detail }],
  );
}

/**
 * Runs a command with the settings that are named by files among the others, tells a mistake in one sentence, and ends the
 * process: 2 when it could not be done.
 */
export async function runCommand(
  command: (say: (line: string) => void) => Promise<number>,
): Promise<never> {
  try {
    Object.assign(process.env, withFiles(process.env));
    process.exit(await command((line) => process.stdout.write(`${line}\n`)));
  } catch (error) {
    const text =
      error instanceof CommandError ? error.message : error instanceof Error ? error.stack : error;
    process.stderr.write(`${text}\n`);
    process.exit(2);
  }
}
