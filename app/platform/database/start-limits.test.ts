import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { createLogger } from "../logger.ts";
import { awaitWritable } from "./await-writable.ts";
import { migrate } from "./migrate.ts";

const db = await openTestDatabase();

/** An address that takes connections and never says a word. */
async function silentServer(): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => open.add(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  await once(server, "listening");
  return `postgresql://someone@127.0.0.1:${(server.address() as AddressInfo).port}/pathway`;
}

/** Locks a table while `work` runs, so that every statement on it waits. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work();
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

test("gives a database 5 s to take the first connection", async () => {
  const url = await silentServer();
  const startedAt = performance.now();
  await Promise.all([
    expect(awaitWritable(url, createLogger("silent"))).rejects.toThrow("timeout"),
    expect(migrate(url)).rejects.toThrow("timeout"),
  ]);
  // It would wait for ever; a busy machine comes a little later.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test("waits with the start while nothing can be written", async () => {
  const told: unknown[] = [];
  let isWritable = false;
  const start = await db.whileReadOnly(async () => {
    const waiting = awaitWritable(db.url, { warn: (line: unknown) => void told.push(line) }).then(
      () => {
        isWritable = true;
      },
    );
    await expect.poll(() => told).toHaveLength(1);
    expect(isWritable).toBe(false);
    return { waiting };
  });
  await start.waiting;
});

test("gives the look at the applied migrations 10 s", async () => {
  await whileLocked("_prisma_migrations", async () => {
    const startedAt = performance.now();
    await expect(migrate(db.url)).rejects.toThrow("timeout");
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });
});

test("gives each script of a migration a limit of its own", async () => {
  const last = "20261123140100_loop_heartbeats";
  await db.pool.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [last]);
  await db.pool.query("DROP TABLE loop_heartbeats");
  await db.pool.query("ALTER TABLE outbox DROP COLUMN created_at");
  await whileLocked("outbox", async () => {
    const startedAt = performance.now();
    await expect(migrate(db.url, { scriptTimeoutMs: 2_000 })).rejects.toThrow(
      "The database could not be migrated",
    );
    // A quarter of an hour unless told otherwise. The process that runs the scripts takes its own time to begin.
    expect(performance.now() - startedAt).toBeLessThan(90_000);
  });
});
