import { expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { withAdvisoryLock } from "./advisory-lock.ts";

const one = await openTestDatabase({ poolSize: 4 });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("work under one name runs one at a time", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await pause(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 10 }, () => withAdvisoryLock(one.pool, "a", work)));
  expect(most).toBe(1);
});

test("holders that need the database themselves never wait for each other's connections", async () => {
  const work = async () => {
    await pause(5);
    return (await one.pool.query<{ n: number }>("SELECT 1 AS n")).rows[0]?.n;
  };
  const names = Array.from({ length: 12 }, (_, at) => `shop-${at}`);
  const done = await Promise.all(names.map((name) => withAdvisoryLock(one.pool, name, work)));
  expect(done).toEqual(names.map(() => 1));
});

test("ends with work that throws, and lets the next one in", async () => {
  const failing = withAdvisoryLock(one.pool, "b", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  await expect(withAdvisoryLock(one.pool, "b", async () => "in")).resolves.toBe("in");
});

test("ends when the holder's connection is lost", async () => {
  const killed = withAdvisoryLock(one.pool, "c", async () => {
    await one.pool.query(
      // Other files' databases are on the same server.
      `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND d.datname = current_database() AND l.pid <> pg_backend_pid()`,
    );
    return "what it learnt is not lost";
  });
  await expect(killed).resolves.toBe("what it learnt is not lost");
  await expect(withAdvisoryLock(one.pool, "c", async () => "in")).resolves.toBe("in");
});
