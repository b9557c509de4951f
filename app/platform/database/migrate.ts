/** Long because each of what stands before, beside and after Prisma's scripts can fail, and is told in words of its own. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { randomTenantKey, type TenantKey } from "../encryption/tenant-key.ts";
import { errorCode } from "../error-code.ts";
import { rest } from "../rest.ts";
import { checkSession } from "./kept-session.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";
import { LOGINS, type Login } from "./logins.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const ROLES = "prisma/roles.sql";
const ACCESS = "prisma/access.sql";

/** Holds everybody else off while one migrates. */
const LOCK = "hashtextextended('pathway migrate', 0)";
/** Prisma holds it for as long as it applies scripts, and the server for as long as it does what a process began that was killed. */
const LOCK_OF_PRISMA = "72707369";
const WAIT_MS = 1_000;
const TELL_EVERY = 5;
/** Policies lock their tables for a moment. Whoever works with them goes first, and we try again. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_TRIES = 30;
/** "tuple concurrently updated", which has no code of its own. */
const CHANGED_MEANWHILE = "XX000";
const LOCKED =
  "Somebody holds a lock of a table, such as a dump or an open psql: wait until it has ended, and run this again.";

const OTHER_KEYS =
  "PATHWAY_TENANT_KEYS has none of the keys that the database had: processes with those are refused from now on (28000). Start them with this setting, or run this again with theirs.";

export interface MigrateOptions {
  /** How long each script of a migration may take; else as long as tools/prisma-schema-engine.mjs says. */
  scriptTimeoutMs?: number;
  /** What the logins get as their passwords; one without keeps what it has. */
  passwords?: Partial<Record<Login, string>>;
  /** Keys that processes may prove themselves with; without, the database keeps its own, or makes one. */
  tenantKeys?: Map<string, TenantKey>;
  /** Makes what the job engine needs, once the tables are there. */
  prepareJobs?: () => Promise<void>;
  say?: (line: string) => void;
}

/**
 * Brings the database to this version, as its owner: roles, tables, what the job engine needs, and at the end who may do
 * what. One at a time; others wait and say so. What failed can be tried again. A database of a later version keeps what that
 * one made. Throws with a sentence that names the remedy.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { scriptTimeoutMs, say = () => {}, prepareJobs } = options;
  const client = new LimitedClient({ ...CONNECTION_LIMITS, connectionString: databaseUrl });
  await client.connect();
  // Scripts run beside it meanwhile. Unheard, its end would end the process with a stack and leave them alone.
  let ended: Error | undefined;
  client.on("error", (error) => {
    ended ??= error;
  });
  try {
    await checkSession(
      client,
      new LimitedClient({ ...CONNECTION_LIMITS, connectionString: databaseUrl }),
    );
    // An operator or a host sets these of the owner's login for its usual statements.
    await client.query(
      "SET statement_timeout = 0; SET search_path = public; SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0",
    );
    await waitForTurn(client, LOCK, say);
    await checkOwner(client, say);
    await makeRoles(client, options.passwords ?? {}, say);
    const later = await laterMigration(client);
    if (later) {
      await keepTenantKeys(client, options.tenantKeys, say);
      say(
        `The database is of a later version (it has ${later}): its tables and what may be done with them stay as they are.`,
      );
      return;
    }
    if (!(await isCurrent(client))) {
      await waitForTurn(client, LOCK_OF_PRISMA, say);
      await forgetFailures(client, say);
      await client.query(`SELECT pg_advisory_unlock(${LOCK_OF_PRISMA})`);
    }
    if (!(await isCurrent(client))) {
      say("Applying migrations");
      const output = await whileTelling(client, say, () => runPrisma(databaseUrl, scriptTimeoutMs));
      if (!(await isCurrent(client))) throw notMigrated(output);
    }
    await prepareJobs?.();
    await applyAccess(client, options.tenantKeys, say);
    say("The database is at this version.");
  } catch (error) {
    // The server's own words, and not that nothing can be asked any more.
    throw errorCode(error) === "connection_ended" ? (ended ?? error) : error;
  } finally {
    // Ends the turn too.
    await client.end();
  }
}

async function waitForTurn(
  client: pg.Client,
  lock: string,
  say: (line: string) => void,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_lock(${lock}) AS "isOurs"`,
    );
    if (rows[0]?.isOurs) return;
    if (tries % TELL_EVERY === 0)
      say(`Another one migrates this database; waiting (${(tries * WAIT_MS) / 1000} s)`);
    await client.query("SELECT pg_sleep($1)", [WAIT_MS / 1000]);
  }
}

/** Throws unless the login may change every table and make new ones: whoever may not would leave half of it. */
async function checkOwner(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{
    login: string;
    database: string;
    holder: string;
    keeper: string | null;
    mayChange: boolean;
    isHolder: boolean;
    mayMake: boolean;
    isReadOnly: boolean;
    narrowsRows: boolean;
    encoding: string;
    sortsOtherwise: boolean;
  }>(
    `SELECT current_user AS login, current_database() AS database, pg_get_userbyid(d.datdba) AS holder,
            pg_get_userbyid(t.relowner) AS keeper,
            coalesce(pg_has_role(t.relowner, 'USAGE'), true) AS "mayChange",
            d.datdba = current_user::regrole AS "isHolder",
            has_schema_privilege('public', 'CREATE') AND has_database_privilege(d.oid, 'CREATE')
              AND (has_schema_privilege('public', 'USAGE WITH GRANT OPTION') OR has_schema_privilege('public', 'public', 'USAGE')) AS "mayMake",
            current_setting('transaction_read_only')::boolean AS "isReadOnly",
            current_setting('row_security')::boolean AS "narrowsRows",
            pg_encoding_to_char(d.encoding) AS encoding,
            d.datcollversion IS DISTINCT FROM pg_database_collation_actual_version(d.oid) AS "sortsOtherwise"
     FROM pg_database d LEFT JOIN pg_class t ON t.oid = to_regclass('public._prisma_migrations')
     WHERE d.datname = current_database()`,
  );
  const [found] = rows;
  if (found?.isReadOnly)
    throw new Error(
      `${found.database} takes no writes here: migrate the primary, or promote this server first.`,
    );
  if (found && !found.mayChange)
    throw new Error(
      `The tables of this database belong to ${found.keeper}, and ${found.login} may not change them: log in as ${found.keeper}.`,
    );
  if (found && !found.mayMake) {
    // An old server's schema stays its administrator's, whoever owns the database.
    const remedy = found.isHolder
      ? `have an administrator run "ALTER SCHEMA public OWNER TO ${found.login}"`
      : `log in as ${found.holder}, who owns it, or run "ALTER DATABASE ${found.database} OWNER TO ${found.login}"`;
    throw new Error(
      `${found.login} may not make tables in ${found.database} that others may use: ${remedy}.`,
    );
  }
  // The processes' sessions are refused as this one would be.
  if (found && !found.narrowsRows)
    throw new Error(
      `row_security is off in ${found.database}, so that its tables refuse each statement: run "ALTER DATABASE ${found.database} SET row_security = on", and "ALTER ROLE ${found.login} RESET row_security" where it is the login's.`,
    );
  // A database that has our tables already goes on as well as it did.
  if (found && !found.keeper && found.encoding !== "UTF8")
    throw new Error(
      `${found.database} is encoded in ${found.encoding}, which not every name and title can be written in: make it with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  if (found?.sortsOtherwise)
    say(
      `Texts sort otherwise than when ${found.database} was made, so that its indexes may miss rows: stop the processes, run "REINDEX DATABASE ${found.database}" and "ALTER DATABASE ${found.database} REFRESH COLLATION VERSION" as its owner, and start them.`,
    );
}

async function makeRoles(
  client: pg.Client,
  passwords: Partial<Record<Login, string>>,
  say: (line: string) => void,
): Promise<void> {
  try {
    await client.query(readFileSync(join(root, ROLES), "utf8"));
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
    throw new Error(
      `The owner may not make the roles of the processes: give it CREATEROLE, or have an administrator of the server run ${ROLES} once.`,
    );
  }
  const { rows } = await client.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles
     WHERE rolname IN ('pathway_tenant', 'pathway_web', 'pathway_worker', 'pathway_intake')
       AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`,
  );
  if (rows.length > 0)
    throw new Error(
      `${rows.map(({ name }) => name).join(", ")} may do too much: take SUPERUSER, BYPASSRLS, CREATEROLE and CREATEDB away.`,
    );
  for (const login of LOGINS) {
    const password = passwords[login];
    if (!password) continue;
    try {
      await setPassword(client, login, password);
    } catch (error) {
      if (errorCode(error) !== "42501") throw error;
      say(`${login} belongs to another administrator and keeps its password.`);
    }
  }
}

/** Roles belong to a server: another database of it may be migrated at this moment, and PostgreSQL refuses the second who changes one. */
async function setPassword(client: pg.Client, login: Login, password: string): Promise<void> {
  const statement = `ALTER ROLE ${login} PASSWORD ${pg.escapeLiteral(password)}`;
  for (let tries = 1; ; tries++) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (errorCode(error) !== CHANGED_MEANWHILE || tries === LOCK_TRIES) throw error;
      await delay(WAIT_MS);
    }
  }
}

async function isCurrent(client: pg.Client): Promise<boolean> {
  const applied = await appliedMigrations(client);
  return applied !== null && knownMigrations().every((name) => applied.has(name));
}

/**
 * A migration of a later version, in a database that lacks none of this one; null without. In a rollout, or after one that
 * was taken back, a process of the former version may be started once more, and its migration with it: what that one would
 * grant is less than the later processes need.
 */
async function laterMigration(client: pg.Client): Promise<string | null> {
  const applied = await appliedMigrations(client);
  if (!applied || !(await isCurrent(client))) return null;
  const ours = new Set(knownMigrations());
  return [...applied].filter((name) => !ours.has(name)).toSorted()[0] ?? null;
}

let known: string[] | undefined;

/** The migrations of this version. */
export function knownMigrations(): string[] {
  known ??= readdirSync(join(root, "prisma/migrations"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return known;
}

/** The migrations that a database has, or null when it never had one. */
export async function appliedMigrations(
  client: Pick<pg.Client, "query">,
): Promise<Set<string> | null> {
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
    );
    return new Set(rows.map((row) => row.name));
  } catch (error) {
    if (["42P01", "42501"].includes(errorCode(error))) return null;
    throw error;
  }
}

/**
 * Each script is one transaction with the note that it is finished (tools/prisma-schema-engine.mjs), so that one that failed
 * has left nothing, and is done again. Only while nobody applies any.
 */
async function forgetFailures(client: pg.Client, say: (line: string) => void): Promise<void> {
  if ((await appliedMigrations(client)) === null) return;
  const { rows } = await client.query<{ name: string }>(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL RETURNING migration_name AS name`,
  );
  for (const { name } of rows) say(`${name} failed the last time, and is tried again`);
}

/** Who has locked what a script of the migration waits for. */
const HOLDERS = `
  SELECT DISTINCT concat_ws(', ', h.usename, nullif(h.application_name, ''), 'process ' || h.pid) AS holder
  FROM pg_stat_activity w, unnest(pg_blocking_pids(w.pid)) AS blocking (pid) JOIN pg_stat_activity h USING (pid)
  WHERE w.datname = current_database() AND w.usename = session_user AND w.wait_event_type = 'Lock'`;

/** Says meanwhile for whom a migration waits: nothing else would tell it from one that works. */
async function whileTelling<T>(
  client: pg.Client,
  say: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const tell = async () => {
    const told = new Set<string>();
    while (await rest(WAIT_MS, over.signal)) {
      const { rows } = await client.query<{ holder: string }>(HOLDERS);
      for (const { holder } of rows) {
        if (!told.has(holder)) say(`Waiting for a lock that somebody holds (${holder})`);
        told.add(holder);
      }
    }
  };
  // A connection that is lost meanwhile is noticed by what follows.
  const [worked] = await Promise.allSettled([work().finally(() => over.abort()), tell()]);
  if (worked.status === "rejected") throw worked.reason;
  return worked.value;
}

async function runPrisma(databaseUrl: string, scriptTimeoutMs?: number): Promise<string> {
  const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
  const child = spawn(process.execPath, [cli, "migrate", "deploy"], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      // The database is the one that was asked for, whatever this process was given.
      DATABASE_DIRECT_URL: databaseUrl,
      ...(scriptTimeoutMs && { PATHWAY_MIGRATION_TIMEOUT_MS: String(scriptTimeoutMs) }),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw notMigrated(output);
  return output;
}

const notMigrated = (output: string) =>
  new Error(`The database could not be migrated:\n${output.trim()}`);

async function applyAccess(
  client: pg.Client,
  tenantKeys: Map<string, TenantKey> | undefined,
  say: (line: string) => void,
): Promise<void> {
  const script = readFileSync(join(root, ACCESS), "utf8");
  for (let tries = 1; ; tries++) {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    try {
      await client.query(script);
      await keepTenantKeys(client, tenantKeys, say);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK");
      if (!["55P03", "40P01"].includes(errorCode(error))) throw error;
      if (tries === LOCK_TRIES) throw new Error(LOCKED);
      // Those who wait behind us pass meanwhile.
      await delay(WAIT_MS);
    }
  }
}

async function keepTenantKeys(
  client: pg.Client,
  given: Map<string, TenantKey> | undefined,
  say: (line: string) => void,
): Promise<void> {
  const add = (id: string, { innerPad, outerPad }: TenantKey, onConflict: string) =>
    client.query(
      `INSERT INTO tenant_keys (id, inner_pad, outer_pad) VALUES ($1, $2, $3) ON CONFLICT (id) ${onConflict}`,
      [id, innerPad, outerPad],
    );
  if (given) {
    if (await areAllOthers(client, given)) say(OTHER_KEYS);
    await client.query("DELETE FROM tenant_keys WHERE id <> ALL($1)", [[...given.keys()]]);
    for (const [id, key] of given)
      await add(
        id,
        key,
        "DO UPDATE SET inner_pad = excluded.inner_pad, outer_pad = excluded.outer_pad",
      );
    return;
  }
  const { rowCount } = await client.query("SELECT FROM tenant_keys LIMIT 1");
  if (!rowCount) await add("own", randomTenantKey(), "DO NOTHING");
}

/** Whether the database has keys, and processes that prove themselves with one of them are refused from now on. */
async function areAllOthers(client: pg.Client, given: Map<string, TenantKey>): Promise<boolean> {
  const { rows } = await client.query<{ id: string; innerPad: Buffer }>(
    `SELECT id, inner_pad AS "innerPad" FROM tenant_keys`,
  );
  return (
    rows.length > 0 && !rows.some(({ id, innerPad }) => given.get(id)?.innerPad.equals(innerPad))
  );
}
