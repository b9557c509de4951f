import { createRequire } from "node:module";
import type { ClientBase } from "pg";
import { z } from "zod";
import { enterProcess, shopProof, type TenantKey } from "../encryption/tenant-key.ts";
import { errorCode } from "../error-code.ts";
import { AccessMissing } from "../errors.ts";
import { checkSession } from "./kept-session.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";
import type { Login } from "./logins.ts";
import { appliedMigrations, knownMigrations } from "./migrate.ts";
import { readIdentity } from "./same-database.ts";
import { BEGIN_SETTLED } from "./session.ts";

/** What a login is for. */
export type Duty = "tenant" | "web" | "worker" | "intake";

/** What only the right login may do. */
const DUTIES: Record<Duty, { table: string; privilege: string; remedy: string } | null> = {
  tenant: null,
  web: null,
  worker: {
    ...{ table: "erasures", privilege: "INSERT" },
    remedy:
      "a worker logs in as pathway_worker: set DATABASE_WORKER_URL, or DATABASE_URL where the process is nothing else",
  },
  intake: {
    ...{ table: "inbox", privilege: "INSERT" },
    remedy: "the intake logs in as pathway_intake: set DATABASE_INTAKE_URL",
  },
};

/** What stands for a shop where only the fence is tried. */
const NO_SHOP = "nobody.invalid";

/**
 * Makes sure that a login may do what this version needs and not more: not the owner's, with every grant and policy that
 * `npm run migrate` left, on a database that has every migration of this version. One that has more migrations is fine: in a
 * rollout the old processes go on. Throws `AccessMissing`. Returns which database it is.
 */
export async function checkAccess(
  databaseUrl: string,
  tenantKey: TenantKey,
  duty: Duty,
): Promise<string | null> {
  const connect = () => new LimitedClient({ ...CONNECTION_LIMITS, connectionString: databaseUrl });
  const client = connect();
  await client.connect();
  try {
    await checkLogin(client);
    if (duty !== "tenant") await checkSession(client, connect());
    // As the process's own transactions will be, whatever else the database or the login was given.
    await client.query(BEGIN_SETTLED);
    await checkSchema(client);
    await checkGrants(client);
    await checkDuty(client, duty);
    await checkProof(client, tenantKey, duty);
    return await readIdentity(client);
  } finally {
    await client.end();
  }
}

async function checkLogin(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; isTooMuch: boolean; isOwner: boolean }>(
    `SELECT r.rolname AS name, r.rolsuper OR r.rolbypassrls OR r.rolcreaterole AS "isTooMuch",
            EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                      AND pg_has_role(r.oid, c.relowner, 'MEMBER'))
            OR (SELECT datdba = r.oid FROM pg_database WHERE datname = current_database()) AS "isOwner"
     FROM pg_roles r WHERE r.rolname = session_user`,
  );
  const [login] = rows;
  if (login?.isTooMuch || login?.isOwner)
    throw new AccessMissing(
      `DATABASE_URL logs in as ${login.name}, who may change the database itself: run "npm run migrate" with it, and start processes as pathway_web, pathway_worker and pathway_intake (docs/operations.md, "Roles of the database").`,
    );
}

/** Throws `AccessMissing` unless the database has every migration of this version. */
export async function checkSchema(client: Pick<ClientBase, "query">): Promise<void> {
  const applied = await appliedMigrations(client);
  const missing = knownMigrations().filter((name) => !applied?.has(name));
  if (missing.length > 0)
    throw new AccessMissing(
      `The database is not at this version (${missing[0]} is missing): run "npm run migrate" as its owner.`,
    );
}

/** PostgreSQL's codes where a role, a right, a function or a table is missing. */
const IS_MISSING: ReadonlySet<string> = new Set(["42704", "42501", "42883", "42P01"]);

/**
 * Compares what the login, the tenant's role and `others` may do, and the policies that show them rows, with what the last
 * `npm run migrate` noted. One statement, because a process that works asks again and again.
 */
export async function checkGrants(
  client: Pick<ClientBase, "query">,
  others: readonly Login[] = [],
): Promise<void> {
  const difference = await client
    .query<{ difference: string }>(COMPARE_ACCESS, [others])
    .then(({ rows: [row] }) => row?.difference)
    .catch((error: unknown) => {
      if (error instanceof Error && IS_MISSING.has(errorCode(error))) return error.message;
      throw error;
    });
  if (difference)
    throw new AccessMissing(
      `The database's access is not as it should be (${difference}): run "npm run migrate" as its owner.`,
    );
}

const COMPARE_ACCESS = `
  WITH asked AS (
    SELECT unnest(ARRAY[session_user::text, 'pathway_tenant', 'owner', 'PUBLIC'] || $1::text[]) AS role
  ), noted AS MATERIALIZED (
    SELECT role, table_name, privilege FROM access_grants WHERE role IN (SELECT role FROM asked)
  ), present AS MATERIALIZED (
    SELECT * FROM present_access() WHERE role IN (SELECT role FROM asked)
  )
  SELECT CASE WHEN privilege LIKE 'policy %'
              THEN format('%s has not the %s that it was given', table_name, split_part(privilege, ' (', 1))
              ELSE format('%s lacks %s on %s', role, privilege, table_name) END AS difference
  FROM (TABLE noted EXCEPT TABLE present) AS missing
  UNION ALL
  SELECT format('%s has a %s that it was not given', table_name, split_part(privilege, ' (', 1))
  FROM (TABLE present EXCEPT TABLE noted) AS added WHERE privilege LIKE 'policy %'
  UNION ALL
  SELECT oid::regclass || ' has no forced row-level security' FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT (relrowsecurity AND relforcerowsecurity)
    -- Not what an administrator put beside ours.
    AND (relowner = (SELECT relowner FROM pg_class WHERE oid = 'public._prisma_migrations'::regclass)
      OR oid::regclass::text IN (SELECT table_name FROM access_grants))
  UNION ALL
  SELECT session_user || ' has no grants' WHERE NOT EXISTS (SELECT FROM access_grants WHERE role = session_user)
  LIMIT 1`;

async function checkDuty(client: ClientBase, duty: Duty): Promise<void> {
  const asked = DUTIES[duty];
  if (!asked) return;
  const { rows } = await client.query<{ name: string; may: boolean }>(
    "SELECT session_user AS name, has_table_privilege($1, $2) AS may",
    [asked.table, asked.privilege],
  );
  if (!rows[0]?.may)
    throw new AccessMissing(
      `${rows[0]?.name} may not ${asked.privilege} into ${asked.table}: ${asked.remedy}.`,
    );
}

/** The version of its tables that the job engine works with. It starts with no other. */
const engineVersion = () =>
  z
    .object({ pgboss: z.object({ schema: z.number() }) })
    .parse(createRequire(import.meta.url)("pg-boss/package.json")).pgboss.schema;

/** Throws `AccessMissing` unless the tables of the job engine are of this process's version. */
async function checkEngine(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number }>("SELECT version FROM pgboss.version");
  const found = rows[0]?.version ?? 0;
  const needed = engineVersion();
  if (found < needed)
    throw new AccessMissing(
      `The job engine's tables are of version ${found}, and ${needed} is needed: run "npm run migrate" as the owner of the database.`,
    );
  if (found > needed)
    throw new AccessMissing(
      `The job engine's tables are of a later version (${found}) than this process works with (${needed}): start processes of the version that migrated the database.`,
    );
}

/** Enters as a process and as a tenant, each unless the login has nothing to do with it: what is entered has to work. */
async function checkProof(client: ClientBase, tenantKey: TenantKey, duty: Duty): Promise<void> {
  try {
    // For a tenant's transactions a proxy may lend the connection to somebody else next: nothing of a process stays on it.
    if (duty !== "tenant") await enterProcess(client, tenantKey);
    if (duty === "web" || duty === "worker") await checkEngine(client);
    if (duty === "intake") return;
    await client.query("SELECT enter_shop($1, $2), set_config('role', 'pathway_tenant', true)", [
      ...[NO_SHOP, shopProof(tenantKey, NO_SHOP)],
    ]);
    const { rows } = await client.query<{ shop: string | null }>("SELECT entered_shop() AS shop");
    if (rows[0]?.shop !== NO_SHOP) throw new Error("The shop that was entered is not seen");
  } catch (error) {
    const code = errorCode(error);
    if (code === "28000")
      throw new AccessMissing(
        'PATHWAY_TENANT_KEYS begins with a key that the database does not know: run "npm run migrate" as its owner with the same setting.',
      );
    if (code === "42501" || code === "42883")
      throw new AccessMissing(
        'A tenant\'s transaction cannot be begun (role, grant or function missing): run "npm run migrate" as the owner of the database.',
      );
    throw error;
  }
}
