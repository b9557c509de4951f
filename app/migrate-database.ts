import { type MigrateOptions, migrate } from "./platform/database/migrate.ts";
import { createLogger } from "./platform/logger.ts";
import { prepareEngine } from "./queue/engine.ts";

/** Brings a database to this version, with the job engine's part of it (platform/database/migrate.ts). */
export function migrateDatabase(
  databaseUrl: string,
  options: Omit<MigrateOptions, "prepareJobs"> = {},
): Promise<void> {
  const prepareJobs = () => prepareEngine({ databaseUrl, logger: createLogger("silent") });
  return migrate(databaseUrl, { ...options, prepareJobs });
}
