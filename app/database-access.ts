import { checkAccess } from "./platform/database/check-access.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./platform/database/limited-client.ts";
import { directly, loginAs } from "./platform/database/logins.ts";
import { isAnother } from "./platform/database/same-database.ts";
import { readDatabaseAddress } from "./platform/database-address.ts";
import {
  readStoredTenantKey,
  readTenantKeys,
  type TenantKey,
} from "./platform/encryption/tenant-key.ts";
import type { ProcessSettings } from "./platform/env.ts";
import { errorCode } from "./platform/error-code.ts";
import { AccessMissing } from "./platform/errors.ts";

/** What a process logs in with, for which of its work. */
export interface DatabaseAccess {
  /** Transactions of one shop. A proxy may pool these, and only these: the others keep a session. */
  databaseUrl: string;
  /** What concerns all shops: the worker's login where this process is one. */
  processUrl: string;
  /** Messages that come in; only where this process is web. */
  intakeUrl: string;
  tenantKey: TenantKey;
}

type AccessSettings = Pick<
  ProcessSettings,
  | "PATHWAY_ROLES"
  | "PATHWAY_TENANT_KEYS"
  | "DATABASE_URL"
  | "DATABASE_DIRECT_URL"
  | "DATABASE_WORKER_URL"
  | "DATABASE_INTAKE_URL"
>;

/** Reads the logins from the settings. Throws with a sentence when one is missing. */
export function readAccess(env: AccessSettings): DatabaseAccess {
  const { DATABASE_URL: databaseUrl = "", PATHWAY_TENANT_KEYS: keys } = env;
  const own = (url: string) => directly(url, env.DATABASE_DIRECT_URL);
  const [tenantKey] = keys ? readTenantKeys(keys).values() : [];
  if (!tenantKey)
    throw new Error(
      "Set PATHWAY_TENANT_KEYS to what `npm run migrate` was given: the database shows no shop's rows without a proof.",
    );
  const isWorker = env.PATHWAY_ROLES.includes("worker");
  const processUrl = own((isWorker && env.DATABASE_WORKER_URL) || databaseUrl);
  return {
    ...{ databaseUrl, processUrl, tenantKey },
    intakeUrl: own(env.DATABASE_INTAKE_URL ?? databaseUrl),
  };
}

/** Migrates a database of the process's own as its owner, and logs in like any other process afterwards. */
export async function prepareOwnDatabase(
  ownerUrl: string,
  env: ProcessSettings,
): Promise<DatabaseAccess> {
  const { migrateDatabase } = await import("./migrate-database.ts");
  await migrateDatabase(ownerUrl, { scriptTimeoutMs: env.PATHWAY_MIGRATION_TIMEOUT_MS });
  const owner = new LimitedClient({ ...CONNECTION_LIMITS, connectionString: ownerUrl });
  await owner.connect();
  try {
    const isWorker = env.PATHWAY_ROLES.includes("worker");
    const databaseUrl = loginAs(ownerUrl, "pathway_web");
    return {
      databaseUrl,
      processUrl: isWorker ? loginAs(ownerUrl, "pathway_worker") : databaseUrl,
      intakeUrl: loginAs(ownerUrl, "pathway_intake"),
      tenantKey: await readStoredTenantKey(owner),
    };
  } finally {
    await owner.end();
  }
}

/**
 * Makes sure that every login of this process may do what it needs, and not more, and that all of them lead to one database: a
 * message that is stored in another one than the workers' is answered and never handled. Throws with a sentence.
 */
export async function checkLogins(
  { databaseUrl, processUrl, intakeUrl, tenantKey }: DatabaseAccess,
  roles: readonly string[],
): Promise<void> {
  const isWorker = roles.includes("worker");
  const own = isWorker ? "DATABASE_WORKER_URL or DATABASE_URL" : "DATABASE_URL";
  // Beside each other, for a start waits for all of them. The first in this order is told, whichever fails first.
  const checks = await Promise.allSettled([
    naming("DATABASE_URL", databaseUrl, () => checkAccess(databaseUrl, tenantKey, "tenant")),
    naming(own, processUrl, () => checkAccess(processUrl, tenantKey, isWorker ? "worker" : "web")),
    roles.includes("web")
      ? naming("DATABASE_INTAKE_URL", intakeUrl, () => checkAccess(intakeUrl, tenantKey, "intake"))
      : null,
  ]);
  const identities = checks.map((check) => {
    if (check.status === "rejected") throw check.reason;
    return check.value;
  });
  const [tenants = null, ofProcess = null, ofIntake = null] = identities;
  requireOne(own, isAnother(tenants, ofProcess));
  requireOne("DATABASE_INTAKE_URL", isAnother(tenants, ofIntake));
}

function requireOne(setting: string, isOther: boolean): void {
  if (isOther)
    throw new AccessMissing(
      `${setting}, or DATABASE_DIRECT_URL where it is set, leads to another database than DATABASE_URL: all addresses of a process have to lead to one (docs/operations.md, "Failover").`,
    );
}

/** PostgreSQL's codes for a login that it does not know, or that has another password. */
const NOT_LET_IN: ReadonlySet<string> = new Set(["28000", "28P01"]);

/**
 * Does what a start needs of a database. PostgreSQL and the system say neither which setting led there nor that it was a database:
 * whoever reads the last line of a log at night has to know both. The host is told, and no login.
 */
export async function naming<T>(setting: string, url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AccessMissing) throw error;
    const host = readDatabaseAddress(url)?.host ?? "its address";
    const reason = error instanceof Error ? error.message : String(error);
    const code = errorCode(error);
    const advice = NOT_LET_IN.has(code)
      ? ' Has "npm run migrate" been run on this server, with these passwords?'
      : "";
    throw new Error(
      `The database at ${host} (${setting}) does not let this process start: ${reason} (${code}).${advice} docs/runbooks/database-down.md says what that means.`,
      { cause: error },
    );
  }
}
