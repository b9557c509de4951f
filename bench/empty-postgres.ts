import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../tools/embedded-postgres.ts";

/** An empty PostgreSQL of a measurement's own. `stop` ends it and removes its data. */
export async function startEmptyPostgres(
  flags: string[] = [],
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const wanted = join(tmpdir(), `pathway-bench-${process.pid}-${randomBytes(3).toString("hex")}`);
  const { url, pid, dir, stop } = await startPostgres({ dir: wanted, port: 0, flags });
  return {
    url,
    pid,
    async stop() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
