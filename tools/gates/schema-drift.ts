import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../embedded-postgres.ts";
import { runCommand } from "./run-command.ts";

/**
 * Applies every migration to an empty database and compares it with prisma/schema.prisma. Returns the
 * differences in Prisma's words.
 */
export async function findSchemaDrift(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "pathway-drift-"));
  const postgres = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
  try {
    const env = { DATABASE_URL: postgres.url };
    const migrated = await runCommand("prisma", ["migrate", "deploy"], { env });
    if (migrated.code !== 0) return [`migrations cannot be applied: ${migrated.output}`];
    const diff = await runCommand(
      "prisma",
      [
        ...["migrate", "diff", "--exit-code", "--from-config-datasource"],
        ...["--to-schema", "prisma/schema.prisma"],
      ],
      { env },
    );
    if (diff.code === 0) return [];
    return (diff.output || diff.errors).split("\n").filter(Boolean);
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
