import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { toleratedErrors } from "../counters.ts";
import { createLogger } from "../logger.ts";
import { withLease } from "./lease.ts";

const db = await openTestDatabase({ poolSize: 2 });
const ports = { pool: db.pool, logger: createLogger("silent") };
const lease = (name: string) => ({ shop: "one.myshopify.com", name });
const count = async () =>
  (await db.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM leases")).rows[0]?.n;

test("work under one name runs one at a time", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await db.pool.query("SELECT 1");
    inside--;
  };
  await Promise.all(Array.from({ length: 10 }, () => withLease(ports, lease("a"), work)));
  expect(most).toBe(1);
  expect(await count()).toBe(0);
});

test("holders occupy no connection, however many there are and however long they take", async () => {
  const end = Promise.withResolvers<void>();
  let inside = 0;
  const holders = Array.from({ length: 20 }, (_, at) =>
    withLease(ports, lease(`shop-${at}`), async () => {
      inside++;
      await end.promise;
      return (await db.pool.query<{ n: number }>("SELECT 1 AS n")).rows[0]?.n;
    }),
  );
  // Twenty at the same time, with a pool of two, and still the database is there for everybody.
  await expect.poll(() => inside).toBe(20);
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
  expect(await count()).toBe(20);
  end.resolve();
  expect(await Promise.all(holders)).toEqual(holders.map(() => 1));
});

test("ends with work that throws, and lets the next one in", async () => {
  const failing = withLease(ports, lease("b"), () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  await expect(withLease(ports, lease("b"), async () => "in")).resolves.toBe("in");
});

test("frees a lease whose holder died by itself, and takes none that is held", async () => {
  const leave = (expires: string) =>
    db.pool.query(
      `INSERT INTO leases (shop, name, holder, expires_at)
       VALUES ('one.myshopify.com', 'c', gen_random_uuid(), now() + $1::interval)`,
      [expires],
    );
  await leave("1 hour");
  let isIn = false;
  const waiting = withLease(ports, lease("c"), async () => {
    isIn = true;
  });
  // The same name of another shop is another lease.
  await withLease(ports, { shop: "two.myshopify.com", name: "c" }, async () => {});
  expect(isIn).toBe(false);
  await db.pool.query("UPDATE leases SET expires_at = now() - interval '1 ms'");
  await waiting;
  expect(isIn).toBe(true);
});

test("ends with its work when the lease cannot be given back, and counts the code", async () => {
  const released = () =>
    toleratedErrors.values().filter(({ labels }) => labels.at === "lease.release");
  const count = () => released().reduce((sum, { value }) => sum + value, 0);
  // Other files of this process count too.
  const before = count();
  const down = Promise.withResolvers<void>();
  const isOver = Promise.withResolvers<void>();
  let outage: Promise<void> | undefined;
  const held = withLease(ports, lease("d"), async () => {
    outage = db.whileDown(async () => {
      down.resolve();
      await isOver.promise;
    });
    await down.promise;
    return "done";
  });
  await expect(held).resolves.toBe("done");
  isOver.resolve();
  await outage;
  expect(count()).toBe(before + 1);
  for (const { labels } of released()) expect(labels.code).toMatch(/^\w+$/);
});

test("takes a lease that a dead holder left, though the clock was set back since", async () => {
  await db.pool.query(
    `INSERT INTO leases (shop, name, holder, expires_at)
     VALUES ('one.myshopify.com', 'e', gen_random_uuid(), now() + interval '1 hour')`,
  );
  let ms = 0;
  const monotonicMs = () => (ms += 5_000);
  const taken = withLease({ ...ports, monotonicMs }, lease("e"), async () => "in");
  await expect(taken).resolves.toBe("in");
});
