import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { isDatabaseAway } from "./database-away.ts";
import { LimitedClient } from "./limited-client.ts";
import { PipelinedClient } from "./pipelined-client.ts";

const db = await openTestDatabase();
const LIMIT_MS = 400;

const kinds = [
  { name: "one that waits for each answer", Client: LimitedClient, pipeline: false },
  { name: "one that sends without waiting", Client: PipelinedClient, pipeline: true },
];

function openPool({ Client, pipeline }: (typeof kinds)[number], limitMs = LIMIT_MS): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString: db.url, query_timeout: limitMs, max: 1 },
    ...{ Client, pipeline },
  });
  // Each failure is told to whoever asked; unheard on the connection it would end the process.
  const ignored = () => {};
  pool.on("error", ignored);
  pool.on("connect", (client) => client.on("error", ignored));
  onTestFinished(() => pool.end());
  return pool;
}

test.each(kinds)(
  "ends when its server does not answer, and fails what waits: $name",
  async (kind) => {
    const pool = openPool(kind);
    const client = await pool.connect();
    const ended = new Promise((resolve) => client.once("end", resolve));
    const asked = performance.now();
    const answers = await Promise.allSettled([
      client.query("SELECT pg_sleep(60)"),
      client.query("SELECT 1"),
    ]);
    expect(performance.now() - asked).toBeGreaterThanOrEqual(LIMIT_MS);
    for (const answer of answers)
      expect(answer.status === "rejected" && isDatabaseAway(answer.reason)).toBe(true);
    await ended;
    client.release(true);
    // The pool opens another.
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  },
);

test("fails its statement and nothing else where nobody listens to the connection", async () => {
  const client = new LimitedClient({ connectionString: db.url, query_timeout: LIMIT_MS });
  await client.connect();
  await expect(client.query("SELECT pg_sleep(60)")).rejects.toThrow("Query read timeout");
  await client.end();
});

test.each(kinds)("stays while its server answers one after the other: $name", async (kind) => {
  // A busy machine takes its time as well.
  const limitMs = 5 * LIMIT_MS;
  const client = await openPool(kind, limitMs).connect();
  const slow = `SELECT pg_sleep(${limitMs / 2.5 / 1000})`;
  try {
    await Promise.all([client.query(slow), client.query(slow), client.query(slow)]);
  } finally {
    client.release();
  }
});

test.each(kinds)("stays while nothing is asked: $name", async (kind) => {
  const client = await openPool(kind).connect();
  const pid = async () => (await client.query("SELECT pg_backend_pid() AS pid")).rows;
  const before = await pid();
  // Of another connection, for twice the limit.
  await db.pool.query(`SELECT pg_sleep(${(LIMIT_MS * 2) / 1000})`);
  expect(await pid()).toEqual(before);
  client.release();
});
