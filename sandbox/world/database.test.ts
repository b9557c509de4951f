import { existsSync } from "node:fs";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, keepDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./ports.ts";
import { isAlive } from "./process-life.ts";
import { type Reaper, startReaper } from "./reaper-client.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";
import { openWorldFolder, type WorldFolder } from "./world-folder.ts";

/** PostgreSQL recovers before it answers, on a machine that may be busy. */
const TIMEOUT = { timeoutMs: 25_000 };

let files: WorldFolder;
let reaper: Reaper;
let supervisor: Supervisor;
let database: Database;

beforeEach(async () => {
  reaper = startReaper();
  files = await openWorldFolder({ throwAway: true, removeAtEnd: reaper.remove });
  supervisor = createSupervisor({ reaper, verbose: false, say: () => {} });
  database = await keepDatabase({ supervisor, reaper, files, port: await freePort() });
});
afterEach(async () => {
  supervisor.stopStarting();
  await reaper.finish();
});

async function query(statement: string): Promise<unknown[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test("a killed database comes back on the same address with what was committed", async () => {
  await query("CREATE TABLE kept AS SELECT 1 AS one");
  const killed = database.pid();
  if (killed === null) throw new Error("the database has no process");
  process.kill(killed, "SIGKILL");
  const rows = await eventually(async () => {
    expect(database.pid()).not.toBe(killed);
    return query("SELECT one FROM kept");
  }, TIMEOUT);
  expect(rows).toEqual([{ one: 1 }]);
});

test("the end of the world stops the database and leaves no file", async () => {
  const pid = database.pid();
  if (pid === null) throw new Error("the database has no process");
  supervisor.stopStarting();
  await reaper.finish();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(files.folder)).toBe(false);
});
