import { expect, test } from "vitest";
import { openTestDatabase } from "./database.ts";
import { countHeld, endWaitingHolders, untilWaiting, whoHolds } from "./locks.ts";

const own = await openTestDatabase();
const another = await openTestDatabase();

test("what waits in another copy of the database is left alone, and is not counted", async () => {
  const holder = await whoHolds(another, "LOCK TABLE outbox");
  const waiting = await another.pool.connect();
  await waiting.query("BEGIN");
  await waiting.query("LOCK TABLE inbox IN ROW SHARE MODE");
  const waited = waiting.query("LOCK TABLE outbox IN ROW SHARE MODE");
  await untilWaiting(another, 1);
  expect(await countHeld(own, "inbox")).toBe(0);
  expect(await endWaitingHolders(own, "inbox")).toBe(0);
  await holder.end();
  await waited;
  await waiting.query("ROLLBACK");
  waiting.release();
});

test("one that holds a table and waits for another is ended, and one that waits for the table is not", async () => {
  const holder = await whoHolds(own, "LOCK TABLE outbox");
  const both = await own.pool.connect();
  await both.query("BEGIN");
  await both.query("LOCK TABLE inbox");
  const lost = expect(both.query("LOCK TABLE outbox")).rejects.toThrow(/terminating connection/);
  const behind = own.pool.query("INSERT INTO inbox SELECT * FROM inbox");
  await untilWaiting(own, 2);
  expect(await endWaitingHolders(own, "inbox")).toBe(1);
  await lost;
  both.release(true);
  await behind;
  await holder.end();
});
