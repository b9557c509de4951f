import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/**
 * Brings the database to this version. When nothing is pending that is one query, with the limits of every other;
 * otherwise Prisma's own command applies the migrations, under its own lock. Each script of a migration may take
 * `scriptTimeoutMs`, or as long as tools/prisma-schema-engine.mjs says: rewriting a large table takes minutes. Throws
 * with the command's words when that fails.
 */
export async function migrate(
  databaseUrl: string,
  { scriptTimeoutMs }: { scriptTimeoutMs?: number } = {},
): Promise<void> {
  if (await isCurrent(databaseUrl)) return;
  const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
  const child = spawn(process.execPath, [cli, "migrate", "deploy"], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      ...(scriptTimeoutMs && { PATHWAY_MIGRATION_TIMEOUT_MS: String(scriptTimeoutMs) }),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The database could not be migrated:\n${output}`);
}

async function isCurrent(databaseUrl: string): Promise<boolean> {
  const wanted = readdirSync(join(root, "prisma/migrations"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const client = new LimitedClient({ ...CONNECTION_LIMITS, connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL",
    );
    const applied = new Set(rows.map((row) => row.name));
    return wanted.every((name) => applied.has(name));
  } catch (error) {
    if ((error as { code?: string }).code === "42P01") return false;
    throw error;
  } finally {
    await client.end();
  }
}
