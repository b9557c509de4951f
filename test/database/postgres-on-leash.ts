/**
 * A throw-away PostgreSQL for one test run. It prints its address as one JSON line, and when its standard input
 * ends, which it does however the test run ends, it stops and removes its data.
 */
import { rmSync } from "node:fs";
import pg from "pg";
import { startPostgres } from "../../tools/embedded-postgres.ts";

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("Say where the data may go.");

// Nothing here has to survive a power cut.
const flags = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "shared_buffers=64MB",
];
const postgres = await startPostgres({ dir, port: 0, flags: flags.flatMap((f) => ["-c", f]) });
const dataDirectory = await whereItIs(postgres.url);
console.log(JSON.stringify({ database_url: postgres.url }));

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await postgres.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
  process.exit(0);
}
process.stdin.resume().once("end", () => void stop());
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.once(signal, () => void stop());

/** When run as root, data that `nobody` could not reach is put elsewhere. */
async function whereItIs(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  await client.end();
  return rows[0]?.data_directory ?? dir ?? "";
}
