import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting } from "../../../test/database/locks.ts";
import { createInboxWriter, type NewInboxMessage } from "./inbox-writer.ts";

const db = await openTestDatabase();

beforeEach(async () => {
  await db.pool.query("TRUNCATE inbox");
});

const message = (eventId: string, fields: Partial<NewInboxMessage> = {}): NewInboxMessage => ({
  shop: "one.myshopify.com",
  source: "shopify",
  topic: "orders/paid",
  eventId,
  deliveryId: null,
  triggeredAt: null,
  body: Buffer.from(`body of ${eventId}`),
  ...fields,
});

/** Every stored event with its body opened. */
async function stored(): Promise<Record<string, string>> {
  const { rows } = await db.pool.query<{ id: string; shop: "one.myshopify.com" }>(
    "SELECT id, shop FROM inbox",
  );
  const opened: Record<string, string> = {};
  for (const { id, shop } of rows) {
    const found = await db.tenancy.inShop(shop, (tenant) => tenant.inbox.find(id));
    if (found) opened[found.eventId] = found.body.toString();
  }
  return opened;
}

test("messages that arrive together are each stored whole, whatever their sizes", async () => {
  const write = createInboxWriter(db);
  const sizes = [0, 1, 100, 6_000, 70_000, 600_000, 600_000, 2_000_000, 3];
  const messages = sizes.map((size, at) =>
    message(`e${at}`, {
      body: Buffer.alloc(size, `${at}`),
      shop: at % 2 ? "one.myshopify.com" : "two.myshopify.com",
    }),
  );
  await Promise.all(messages.map(write));
  const found = await stored();
  expect(Object.keys(found)).toHaveLength(sizes.length);
  for (const { eventId, body } of messages) expect(found[eventId] === body.toString()).toBe(true);
});

test("all values of a row stay together", async () => {
  const write = createInboxWriter(db);
  const at = (n: number) => new Date(Date.UTC(2026, 0, n));
  const odd = ['comma, "quote"', "{brace}", "NULL", "back\\slash", "ünï"];
  await Promise.all(
    odd.map((topic, n) =>
      write(
        message(`e${n}`, { topic, deliveryId: n ? topic : null, triggeredAt: n ? at(n) : null }),
      ),
    ),
  );
  const { rows } = await db.pool.query(
    "SELECT event_id, topic, delivery_id, triggered_at FROM inbox ORDER BY event_id",
  );
  expect(rows).toEqual(
    odd.map((topic, n) => ({
      event_id: `e${n}`,
      topic,
      delivery_id: n ? topic : null,
      triggered_at: n ? at(n) : null,
    })),
  );
});

test("a thousand at once are a thousand rows in far fewer commits", async () => {
  const write = createInboxWriter(db);
  const commits = async () =>
    Number(
      (
        await db.pool.query(
          "SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()",
        )
      ).rows[0].n,
    );
  await write(message("first"));
  await db.pool.query("SELECT pg_stat_force_next_flush()");
  const before = await commits();
  await Promise.all(Array.from({ length: 1000 }, (_, n) => write(message(`e${n}`))));
  const { rowCount } = await db.pool.query("SELECT FROM inbox");
  expect(rowCount).toBe(1001);
  await expect.poll(commits, { timeout: 15_000 }).toBeGreaterThan(before);
  expect((await commits()) - before).toBeLessThan(200);
});

test("the same message twice in one statement is one row and two successes", async () => {
  const write = createInboxWriter(db);
  await Promise.all(["a", "b", "a", "a", "c", "b"].map((id) => write(message(id))));
  expect(Object.keys(await stored()).sort()).toEqual(["a", "b", "c"]);
});

test("stores the other rows when the database refuses one", async () => {
  const write = createInboxWriter(db);
  const impossible = message("bad", { topic: "orders/\u0000paid" });
  const all = [message("a"), message("b"), message("c"), impossible, message("d"), message("e")];
  const outcomes = await Promise.allSettled(all.map(write));
  expect(outcomes.map((one) => one.status)).toEqual([
    ...["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"],
  ]);
  expect(Object.keys(await stored()).sort()).toEqual(["a", "b", "c", "d", "e"]);
});

test("nobody hears yes before the commit that holds the row", async () => {
  const write = createInboxWriter(db);
  const blocker = await db.pool.connect();
  await blocker.query("BEGIN");
  await blocker.query("LOCK TABLE inbox IN EXCLUSIVE MODE");
  let heard = 0;
  const all = ["a", "b", "c", "d"].map((id) => write(message(id)).then(() => heard++));
  // Both writers stand at the lock, one with the first message; the others wait their turn.
  await untilWaiting(db, 2);
  expect(heard).toBe(0);
  await blocker.query("COMMIT");
  blocker.release();
  await Promise.all(all);
  expect(heard).toBe(4);
});

test("everybody waiting hears no when the database is down, and it works again afterwards", async () => {
  const write = createInboxWriter(db);
  await write(message("before"));
  await db.whileDown(async () => {
    const outcomes = await Promise.allSettled(["a", "b", "c", "d"].map((id) => write(message(id))));
    expect(new Set(outcomes.map((one) => one.status))).toEqual(new Set(["rejected"]));
  });
  await write(message("after"));
  expect(Object.keys(await stored()).sort()).toEqual(["after", "before"]);
});

/** A writer whose statements end when a test says so, by a time that a test moves. */
async function frozenWriter() {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const statements: PromiseWithResolvers<never>[] = [];
  const query = () => {
    const statement = Promise.withResolvers<never>();
    statements.push(statement);
    return statement.promise;
  };
  const pool = { query } as unknown as typeof db.pool;
  const { sealers } = db;
  await sealers.forShop("one.myshopify.com");
  return { write: createInboxWriter({ pool, sealers, storeMs: 2_500 }), statements };
}

test("keeps nothing for senders who have been told no, while the database stands still", async () => {
  const { write, statements } = await frozenWriter();
  const early = ["a", "b", "c", "d"].map((id) => write(message(id)));
  // Two statements are under way, and the other two wait behind them.
  await vi.waitUntil(() => statements.length === 2);
  vi.advanceTimersByTime(5_001);
  const late = write(message("e"));
  await expect(early[2]).rejects.toThrow("nobody waits");
  await expect(early[3]).rejects.toThrow("nobody waits");
  statements[0]?.reject(new Error("frozen"));
  await expect(early[0]).rejects.toThrow("frozen");
  await vi.waitUntil(() => statements.length === 3);
  statements[2]?.reject(new Error("frozen"));
  await expect(late).rejects.toThrow("frozen");
  statements[1]?.reject(new Error("frozen"));
  await expect(early[1]).rejects.toThrow("frozen");
});

test("asks for each of many rows again only while somebody waits for it", async () => {
  const { write, statements } = await frozenWriter();
  const writes = ["a", "b", "c", "d"].map((id) => write(message(id)));
  const ends = Promise.allSettled(writes);
  await vi.waitUntil(() => statements.length === 2);
  statements[0]?.reject(new Error("frozen"));
  // "c" and "d" go out together.
  await vi.waitUntil(() => statements.length === 3);
  vi.advanceTimersByTime(5_001);
  statements[2]?.reject(new Error("frozen"));
  await expect(writes[3]).rejects.toThrow("nobody waits");
  statements[1]?.reject(new Error("frozen"));
  expect((await ends).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  expect(statements).toHaveLength(3);
});
