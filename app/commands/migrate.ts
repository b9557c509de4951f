/** `npm run migrate`: brings the database to this version, as its owner. No process does (docs/operations.md, "Roles of the database"). */
import { migrateDatabase } from "../migrate-database.ts";
import { readTenantKeys } from "../platform/encryption/tenant-key.ts";
import { endOnSignal } from "../platform/end-on-signal.ts";
import { readMigrationSettings, withFiles } from "../platform/env.ts";
import { asksForHelp } from "./open-command.ts";

const USAGE = `npm run migrate              brings the database to this version, as its owner (docs/operations.md, "Upgrades")
npm run migrate -- status    Prisma's own commands for migrations`;

endOnSignal();
if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
try {
  const settings = readMigrationSettings(withFiles(process.env));
  const { PATHWAY_TENANT_KEYS: tenantKeys } = settings;
  // A lock of the session keeps a second migration waiting: no proxy may come between.
  const databaseUrl = settings.DATABASE_DIRECT_URL || settings.DATABASE_URL;
  if (!databaseUrl)
    throw new Error("Set DATABASE_URL to what the owner of the database logs in with.");
  const passwords = {
    pathway_web: settings.PATHWAY_WEB_PASSWORD,
    pathway_worker: settings.PATHWAY_WORKER_PASSWORD,
    pathway_intake: settings.PATHWAY_INTAKE_PASSWORD,
  };
  await migrateDatabase(databaseUrl, {
    passwords: Object.fromEntries(Object.entries(passwords).filter(([, value]) => value)),
    scriptTimeoutMs: settings.PATHWAY_MIGRATION_TIMEOUT_MS,
    ...(tenantKeys && { tenantKeys: readTenantKeys(tenantKeys) }),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
