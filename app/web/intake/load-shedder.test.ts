import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { createLoadShedder } from "./load-shedder.ts";

const db = await openTestDatabase();

/** Keeps this process from everything else, as the start of a busy one does. */
function freeze(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("an answer that came while the process stood still came in time", async () => {
  await db.pool.query("SELECT 1");
  const { inTime } = createLoadShedder({ storeMs: 50 });
  const stored = inTime("one.myshopify.com", () => db.pool.query("SELECT 1 AS one"));
  // The statement has gone out, and its answer comes at once.
  await new Promise((resolve) => setImmediate(resolve));
  freeze(300);
  expect((await stored).rows).toEqual([{ one: 1 }]);
});

test("work that takes too long is given up", async () => {
  const { inTime } = createLoadShedder({ storeMs: 50 });
  const stored = inTime("one.myshopify.com", () => db.pool.query("SELECT pg_sleep(0.5)"));
  await expect(stored).rejects.toThrow("in time");
});
