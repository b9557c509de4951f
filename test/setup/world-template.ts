import { rm } from "node:fs/promises";
import { join } from "node:path";
import { migrateDatabase } from "../../app/migrate-database.ts";
import { startPostgres } from "../../tools/embedded-postgres.ts";
import { makeDataFolder } from "./data-folder.ts";

const NAME = "PATHWAY_POSTGRES_TEMPLATE";
/**
 * Instead of those by which a process stays small (docs/decisions/0021). With those it collects its memory so often that a
 * quarter of its processor time goes there.
 */
const NODE_FLAGS = "--max-semi-space-size=16";

/**
 * Once for each run: a PostgreSQL with the app's tables, stopped, whose folder the run's worlds copy. To make one from
 * nothing takes a third of a world's start.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Another project of this run was first.
  if (process.env[NAME]) return async () => {};
  const folder = makeDataFolder("pathway-template-");
  const postgres = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
  await migrateDatabase(postgres.url);
  await postgres.stop();
  process.env.PATHWAY_APP_NODE_FLAGS = NODE_FLAGS;
  process.env[NAME] = postgres.dir;
  return () => rm(folder, { recursive: true, force: true });
}
