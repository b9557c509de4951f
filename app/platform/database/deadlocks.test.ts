import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { ENVIRONMENTS, type Environment } from "../../modules/shops/connection.ts";
import type { Tenant } from "../../ports.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { despiteDeadlocks } from "./deadlocks.ts";
import type { Transaction } from "./transactions.ts";

const SHOP: ShopDomain = "shop.myshopify.com";
const db = await openTestDatabase();
const [ONE, OTHER] = ENVIRONMENTS;
const now = new Date("2026-11-23T00:00:00Z");

beforeEach(async () => {
  await db.pool.query("TRUNCATE connections, timeline, outbox");
  await db.tenancy.inShop(SHOP, async (tenant) => {
    const credentials = { clientId: "client", clientSecret: "secret" };
    const signing = { scheme: "none", header: null, secret: null } as const;
    for (const environment of ENVIRONMENTS)
      await tenant.connections.save({ environment, credentials, signing });
  });
});

describe("of two transactions that wait for each other", () => {
  test("both are done, each once", async () => {
    const { meet, tries } = meeting();
    const count = (first: Environment, second: Environment) =>
      db.tenancy.inShop(SHOP, async (tenant) => {
        await tenant.connections.recordEvent(first, { at: now, isReadable: true });
        await isTaken(tenant);
        await meet();
        await tenant.connections.recordEvent(second, { at: now, isReadable: true });
        await note(tenant, first);
      });
    await Promise.all([count(ONE, OTHER), count(OTHER, ONE)]);
    const { rows } = await db.pool.query("SELECT events_received AS n FROM connections");
    expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
    expect(await written()).toEqual({ entries: 2, jobs: 2 });
    // On a busy machine the one that begins anew may get there before the one that waited for it.
    expect(tries()).toBeGreaterThanOrEqual(3);
  });

  test("also when they wait in statements of our own", async () => {
    const { meet, tries } = meeting();
    const lock = (first: number, second: number) =>
      db.tenancy.inShop(SHOP, async (tenant) => {
        await tenant.orders.lock(`gid://shopify/Order/${first}`);
        await isTaken(tenant);
        await meet();
        await tenant.orders.lock(`gid://shopify/Order/${second}`);
        await note(tenant, ONE);
      });
    await Promise.all([lock(1, 2), lock(2, 1)]);
    expect(await written()).toEqual({ entries: 2, jobs: 1 });
    // On a busy machine the one that begins anew may get there before the one that waited for it.
    expect(tries()).toBeGreaterThanOrEqual(3);
  });
});

test("tries again also when what was asked for behind it is the first to be told", async () => {
  const { meet, tries } = meeting();
  const shops = ["one.myshopify.com", "two.myshopify.com"];
  await db.pool.query("INSERT INTO shops (shop) SELECT unnest($1::text[])", [shops]);
  const lock = (tx: Transaction, shop = "") =>
    tx.$queryRaw`SELECT shop FROM shops WHERE shop = ${shop} FOR UPDATE`;
  /** Hears of a failure a few turns later than others, as who asks through several functions does. */
  const late = (asked: Promise<unknown>) =>
    Array.from({ length: 20 }).reduce<Promise<unknown>>((one) => one.finally(() => {}), asked);
  const take = (first?: string, second?: string) =>
    despiteDeadlocks(() =>
      db.transactions.run(async (tx) => {
        await lock(tx, first);
        await meet();
        await Promise.all([late(lock(tx, second)), tx.$queryRaw`SELECT 1`]);
      }),
    );
  await Promise.all([take(...shops), take(...shops.toReversed())]);
  expect(tries()).toBeGreaterThanOrEqual(3);
});

test("tries nothing again that fails for a reason of its own", async () => {
  let tries = 0;
  const failing = db.tenancy.inShop(SHOP, async (tenant) => {
    tries++;
    await tenant.orders.lock("gid://shopify/Order/1");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(tries).toBe(1);
});

/** A lock whose answer nobody waits for is taken once what was asked for after it is answered. */
const isTaken = (tenant: Tenant) => tenant.orders.beginReading();

/** Lets nobody go on before two are there. Whoever comes later finds the way free. */
function meeting() {
  let came = 0;
  const both = Promise.withResolvers<void>();
  return {
    meet() {
      if (++came === 2) both.resolve();
      return both.promise;
    },
    tries: () => came,
  };
}

async function note(tenant: Tenant, environment: Environment): Promise<void> {
  await tenant.timeline.add({
    kind: "order_read",
    actor: "pathway",
    at: now,
    orderId: "gid://shopify/Order/1",
  });
  await tenant.jobs.enqueue({ name: "sync-connection", shop: SHOP, environment });
}

async function written(): Promise<{ entries: number; jobs: number }> {
  const { rows } = await db.pool.query<{ entries: number; jobs: number }>(
    `SELECT (SELECT count(*)::int FROM timeline) AS entries,
            (SELECT count(DISTINCT singleton_key)::int FROM outbox) AS jobs`,
  );
  return rows[0] ?? { entries: 0, jobs: 0 };
}
