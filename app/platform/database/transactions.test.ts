import { describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { collectMemory } from "../../../test/samples/collect-memory.ts";
import { openDatabase } from "./database.ts";
import { refusalOf } from "./refusal.ts";
import { openTransactions, type Transaction } from "./transactions.ts";
import { sql, unanswered } from "./unanswered.ts";

const db = await openTestDatabase();

const added = new Set<string>();
const shopNamed = (name: string) => {
  const shop = `${name}-${added.size}.myshopify.com`;
  added.add(shop);
  return shop;
};
const names = async (shop: string) =>
  (await db.pool.query<{ name: string }>("SELECT name FROM shops WHERE shop = $1", [shop])).rows;
const add = (tx: Transaction, shop: string) =>
  tx.$executeRaw`INSERT INTO shops (shop, name) VALUES (${shop}, 'written out')`;

/** Returns a function that is over for everybody once so many have called it. */
function meeting(size: number): () => Promise<void> {
  const full = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    if (++present === size) full.resolve();
    return full.promise;
  };
}

/** A pool of its own whose connections can be counted and ended. */
function openOwn(options: { poolSize: number; timeoutMs?: number }) {
  const own = openDatabase({ url: db.url, poolSize: options.poolSize, onError: () => {} });
  onTestFinished(() => own.close());
  const { timeoutMs } = options;
  return {
    pool: own.pool,
    transactions: timeoutMs ? openTransactions(own.pool, { timeoutMs }) : own.transactions,
  };
}

test("statements that are written out and those of Prisma are of one transaction", async () => {
  const shop = shopNamed("both");
  const seen = await db.transactions.run(async (tx) => {
    await add(tx, shop);
    await tx.shop.updateMany({ where: { shop, name: "written out" }, data: { name: "Prisma's" } });
    const [{ pid } = { pid: 0 }] = await tx.$queryRaw<{ pid: number }[]>`
      SELECT pg_backend_pid() AS pid`;
    const [byPrisma] = await tx.shop.findMany({ where: { shop } });
    expect(await names(shop)).toEqual([]);
    const [{ pid: later } = { pid: 1 }] = await tx.$queryRaw<{ pid: number }[]>`
      SELECT pg_backend_pid() AS pid`;
    return { name: byPrisma?.name, isOneConnection: pid === later };
  });
  expect(seen).toEqual({ name: "Prisma's", isOneConnection: true });
  expect(await names(shop)).toEqual([{ name: "Prisma's" }]);
});

/** Runs transactions that question a model, each with something that only it holds. */
async function runHolding(end: (tx: Transaction) => Promise<unknown>) {
  const held: WeakRef<object>[] = [];
  for (let n = 0; n < 5; n++) {
    const patient = { name: "Mia Nguyen" };
    held.push(new WeakRef(patient));
    const transaction = async () =>
      await db.transactions.run(async (tx) => {
        await tx.shop.findFirst({ where: { shop: patient.name } });
        await end(tx);
      });
    await transaction().catch(() => null);
  }
  return held;
}

test.each([
  ["kept", async () => {}],
  ["taken back", () => Promise.reject(new Error("not this"))],
  ["failed in a statement", (tx: Transaction) => tx.$executeRaw`SELECT 1 / 0`],
])("what a transaction worked with is let go once it is %s", async (_, end) => {
  const held = await runHolding(end);
  collectMemory();
  await expect.poll(() => held.filter((ref) => ref.deref()).length).toBe(0);
});

test.each([
  ["a statement that is written out", (tx: Transaction) => tx.$executeRaw`SELECT 1 / 0`],
  [
    "a statement of Prisma's",
    (tx: Transaction) => tx.shop.create({ data: { shop: "both-0.myshopify.com" } }),
  ],
  ["the work itself", () => Promise.reject(new Error("no"))],
])("%s that fails takes everything back, and the connection is used again", async (_, fail) => {
  const { pool, transactions } = openOwn({ poolSize: 1 });
  await pool.query(
    "INSERT INTO shops (shop) VALUES ('both-0.myshopify.com') ON CONFLICT DO NOTHING",
  );
  const shop = shopNamed("back");
  const failing = transactions.run(async (tx) => {
    await add(tx, shop);
    await tx.shop.updateMany({ where: { shop }, data: { name: "Prisma's" } });
    await fail(tx);
  });
  await expect(failing).rejects.toThrow();
  expect(await names(shop)).toEqual([]);
  await transactions.run((tx) => add(tx, shop));
  expect(await names(shop)).toHaveLength(1);
  expect(pool.totalCount).toBe(1);
});

test("transactions at one time have their own connections, also when Prisma is asked for the first time", async () => {
  const { transactions } = openOwn({ poolSize: 8 });
  const shops = Array.from({ length: 8 }, (_, at) => shopNamed(`own${at}`));
  const [areAllIn, haveAllAsked] = [meeting(shops.length), meeting(shops.length)];
  const seen = await Promise.all(
    shops.map((shop) =>
      transactions.run(async (tx) => {
        await tx.$executeRaw`SELECT set_config('pathway.test', ${shop}, true)`;
        await add(tx, shop);
        await areAllIn();
        // All at one moment, as Prisma gathers what is asked for. Nobody sees what others have not committed.
        const found = await tx.shop.findUnique({ where: { shop } });
        const all = await tx.shop.count({ where: { shop: { in: shops } } });
        const [row] = await tx.$queryRaw<{ own: string }[]>`
          SELECT current_setting('pathway.test') AS own`;
        // Nobody commits before everybody has counted.
        await haveAllAsked();
        return { found: found?.shop, all, own: row?.own };
      }),
    ),
  );
  expect(seen).toEqual(shops.map((shop) => ({ found: shop, all: 1, own: shop })));
});

test("whatever was sent behind a statement that failed says why, and so does the end", async () => {
  const shop = shopNamed("behind");
  const seen: unknown[] = [];
  const failing = db.transactions.run(async (tx) => {
    await add(tx, shop);
    const asked = [tx.$executeRaw`SELECT 1 / 0`, tx.$queryRaw`SELECT 1`, tx.shop.count()];
    seen.push(...(await Promise.allSettled(asked)));
    seen.push(...(await Promise.allSettled([tx.$queryRaw`SELECT 2`])));
  });
  const end = await failing.catch((error: unknown) => error);
  const reasons = seen.map((one) => (one as PromiseRejectedResult).reason);
  expect([...reasons, end].map((error) => refusalOf(error)?.code)).toEqual(Array(5).fill("22012"));
  expect(await names(shop)).toEqual([]);
});

test("one that takes too long is taken back, and gives its connection to the next", async () => {
  const { pool, transactions } = openOwn({ poolSize: 1, timeoutMs: 50 });
  const shop = shopNamed("late");
  const isOver = Promise.withResolvers<void>();
  const late = transactions.run(async (tx) => {
    await add(tx, shop);
    await isOver.promise;
    await tx.$executeRaw`UPDATE shops SET name = 'after' WHERE shop = ${shop}`;
  });
  // Waits for the only connection.
  await transactions.run((tx) => tx.$queryRaw`SELECT 1`);
  isOver.resolve();
  await expect(late).rejects.toMatchObject({ code: "transaction_timed_out" });
  expect(await names(shop)).toEqual([]);
  expect(pool.idleCount).toBe(1);
});

test("nothing can be asked of one that is over", async () => {
  const ended = await db.transactions.run(async (tx) => ({ tx }));
  await expect(ended.tx.$queryRaw`SELECT 1`).rejects.toThrow("over");
  await expect(ended.tx.shop.findMany()).rejects.toThrow("over");
});

test("a connection that is lost fails its transaction, and the next one has another", async () => {
  const { transactions } = openOwn({ poolSize: 1 });
  const shop = shopNamed("lost");
  const lost = transactions.run(async (tx) => {
    await add(tx, shop);
    const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await db.pool.query("SELECT pg_terminate_backend($1)", [row?.pid]);
    await tx.$queryRaw`SELECT 1`;
  });
  await expect(lost).rejects.toThrow();
  await transactions.run((tx) => add(tx, shop));
  expect(await names(shop)).toHaveLength(1);
});

test("values come and go as Prisma has them", async () => {
  const at = new Date("2026-11-26T01:02:03.456Z");
  const [row] = await db.transactions.run(
    (tx) => tx.$queryRaw<Record<string, unknown>[]>`
      SELECT ${at}::timestamptz AS at, ${9007199254740993n}::bigint AS large, ${[1n, 2n]}::bigint[] AS many,
             ${"a"}::text AS text, ${null}::text AS nothing, ${true}::boolean AS yes, ${["b", "c"]}::text[] AS texts,
             ${at}::date = '2026-11-26'::date AS "isDay", ${Buffer.from([0, 255])}::bytea AS bytes`,
  );
  expect(row).toEqual({
    ...{ at, large: 9007199254740993n, many: [1n, 2n], text: "a", nothing: null, yes: true },
    ...{ texts: ["b", "c"], isDay: true, bytes: Buffer.from([0, 255]) },
  });
});

test("a moment is the same for both ways to ask, whatever the database has for sessions", async () => {
  const name = new URL(db.url).pathname.slice(1);
  await db.pool.query(`ALTER DATABASE "${name}" SET timezone = 'Australia/Sydney'`);
  await db.pool.query(`ALTER DATABASE "${name}" SET datestyle = 'SQL, DMY'`);
  onTestFinished(async () => {
    await db.pool.query(`ALTER DATABASE "${name}" RESET ALL`);
  });
  const { transactions, pool } = openOwn({ poolSize: 1 });
  const at = new Date("2026-11-26T01:02:03.456Z");
  const [byPrisma, written] = [shopNamed("prisma"), shopNamed("written")];
  const read = await transactions.run(async (tx) => {
    await tx.shop.create({ data: { shop: byPrisma, installedAt: at } });
    await tx.$executeRaw`INSERT INTO shops (shop, installed_at) VALUES (${written}, ${at})`;
    const where = { shop: { in: [byPrisma, written] } };
    return [
      ...(await tx.shop.findMany({ where })).map(({ installedAt }) => installedAt),
      ...(await tx.$queryRaw<{ at: Date }[]>`
        SELECT installed_at AS at FROM shops WHERE shop IN (${byPrisma}, ${written})`),
    ];
  });
  expect(read).toEqual([at, at, { at }, { at }]);
  const { rows } = await pool.query("SELECT $1::timestamptz AS at", [at]);
  expect(rows).toEqual([{ at }]);
});

describe("a statement that has a name", () => {
  /** One connection, on which each statement has a name from the first time on. */
  const openNamed = () => {
    const { pool } = openOwn({ poolSize: 1 });
    return openTransactions(pool, { nameOf: (text) => `named ${text}`.slice(0, 60) });
  };

  test("and that the server forgot costs its connection, and no more", async () => {
    const transactions = openNamed();
    const ask = () => transactions.run((tx) => tx.$queryRaw`SELECT 1 AS one`);
    await ask();
    await transactions.run((tx) => tx.$executeRaw`DEALLOCATE ALL`);
    await expect(ask()).rejects.toMatchObject({ code: "26000" });
    expect(await ask()).toEqual([{ one: 1 }]);
  });

  test("whose answer nobody reads costs no more either", async () => {
    const transactions = openNamed();
    const shop = shopNamed("unread");
    const write = () =>
      transactions.run((tx) =>
        unanswered(tx, sql`UPDATE shops SET name = 'a' WHERE shop = ${shop}`),
      );
    await write();
    await transactions.run((tx) => tx.$executeRaw`DEALLOCATE ALL`);
    await expect(write()).rejects.toMatchObject({ code: "26000" });
    await write();
  });

  test("and that returns other columns since a migration costs no more either", async () => {
    const transactions = openNamed();
    await db.pool.query("CREATE TABLE changing AS SELECT 1 AS what");
    onTestFinished(async () => {
      await db.pool.query("DROP TABLE changing");
    });
    const ask = () => transactions.run((tx) => tx.$queryRaw`SELECT what FROM changing`);
    await ask();
    await db.pool.query("ALTER TABLE changing ALTER what TYPE text");
    await expect(ask()).rejects.toMatchObject({ code: "0A000" });
    expect(await ask()).toEqual([{ what: "1" }]);
  });
});
