import { describe, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { startRequest } from "../../../test/database/request.ts";
import { connect, installedShop, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { createLogger } from "../../platform/logger.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { reconcileOrder } from "../orders/reconcile-order.ts";
import { installShop } from "./install-shop.ts";

const db = await openTestDatabase();
const logger = createLogger("silent");
/** Ids are of one store each, in all of this file. */
let stores = 0;
const newStore = () => `gid://shopify/Shop/${770_000 + ++stores}`;

async function start() {
  const clock = movableClock();
  const shop = await installedShop(db);
  const install = (storeId: string | null = null) =>
    installShop({ tenancy: db.tenancy, clock, logger }, { shop, scope: "read_orders", storeId });
  const uninstall = (at: Date) => db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(at));
  /** Requests that are taken up. */
  const jobs = async () => {
    const taken = "DELETE FROM outbox WHERE shop = $1 RETURNING name";
    const { rows } = await db.pool.query<{ name: string }>(taken, [shop]);
    return rows.filter(({ name }) => name === "create-referral").length;
  };
  return { clock, shop, install, uninstall, jobs };
}

test("an uninstall whose message comes after the next sign-in ends nothing", async () => {
  const { clock, install, uninstall } = await start();
  clock.advance(1000);
  const uninstalledAt = clock.now();
  clock.advance(1000);
  await install();
  expect(await uninstall(uninstalledAt)).toBe(false);
  clock.advance(1000);
  expect(await uninstall(clock.now())).toBe(true);
});

test("work that found the shop gone is taken up again, once for each install", async () => {
  const { clock, shop, install, uninstall, jobs } = await start();
  await readyRequest(db, shop);
  await uninstall(clock.now());
  await jobs();
  clock.advance(1000);
  await install();
  expect(await jobs()).toBe(1);
  await install();
  expect(await jobs()).toBe(0);
});

test("an order that was cancelled while the app was off is read before anything is sent for it", async () => {
  const one = await startRequest(db);
  const { shop, clock, ports, find, create, service } = one;
  await connect(db, shop);
  const request = (await find()) ?? expect.unreachable();
  const order = storeOrder({ id: request.orderId });
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  clock.advance(1000);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
  clock.advance(1000);
  await installShop(ports, { shop, scope: "" });
  const { rows } = await db.pool.query<{ name: string; id: string; at: Date }>(
    `SELECT name, coalesce(payload->>'orderId', payload->>'requestId') AS id, start_after AS at
     FROM outbox WHERE shop = $1 AND name IN ('create-referral', 'reconcile-order') ORDER BY name`,
    [shop],
  );
  const later = new Date(clock.now().getTime() + 15_000);
  expect(rows).toEqual([
    { name: "create-referral", id: request.id, at: later },
    { name: "reconcile-order", id: request.orderId, at: expect.any(Date) },
  ]);
  const read = async () => storeOrder({ id: request.orderId, cancelledAt: clock.now() });
  const reading = { ...ports, storeOrders: { read } };
  await reconcileOrder(reading, { shop, orderId: request.orderId });
  expect(await create()).toMatchObject({ kind: "not_due" });
  expect(await find()).toMatchObject({ state: "cancelled" });
  expect(service.calls).toEqual([]);
});

test("a shop that comes back has its regular work done at once", async () => {
  const { clock, shop, install, uninstall } = await start();
  const queued = () =>
    db.pool.query("DELETE FROM outbox WHERE shop = $1 AND name = 'maintain-shop'", [shop]);
  await install();
  expect(await queued()).toMatchObject({ rowCount: 0 });
  clock.advance(1000);
  await uninstall(clock.now());
  clock.advance(1000);
  await install();
  expect(await queued()).toMatchObject({ rowCount: 1 });
});

test("a shop that is erased while it comes back is there anew", async () => {
  const { shop, install, uninstall, clock } = await start();
  await uninstall(clock.now());
  const erasure = await whoHolds(db, "SELECT FROM shops WHERE shop = $1 FOR UPDATE", shop);
  const returning = install();
  await untilWaiting(db, 1, returning);
  await erasure.change("DELETE FROM shops WHERE shop = $1", shop);
  await erasure.end();
  await returning;
  const row = await db.tenancy.inShop(shop, (tenant) => tenant.shops.find());
  expect(row).toMatchObject({ installed: true, epoch: 1 });
});

test("a shop that leaves at that moment does not come back by a sign-in that tells no store", async () => {
  const { shop, install } = await start();
  const row = () => db.tenancy.inShop(shop, (tenant) => tenant.shops.find());
  await install(newStore());
  const leaving = await whoHolds(
    db,
    "UPDATE shops SET uninstalled_at = now() WHERE shop = $1",
    shop,
  );
  const returning = install();
  await untilWaiting(db, 1, returning);
  await leaving.end();
  expect(await returning).toBe("unknown");
  expect(await row()).toMatchObject({ installed: false });
});

test("a shop whose session was refused was off, though no message says so", async () => {
  const { clock, shop, install, jobs } = await start();
  await readyRequest(db, shop);
  await install();
  await jobs();
  const row = () => db.tenancy.inShop(shop, (tenant) => tenant.shops.find());
  const epoch = (await row())?.epoch;
  await db.pool.query("UPDATE shops SET access_refused_at = now() WHERE shop = $1", [shop]);
  clock.advance(1000);
  await install();
  expect(await jobs()).toBe(1);
  expect(await row()).toMatchObject({ epoch, accessRefusedAt: null, installedAt: clock.now() });
});

test.each([
  ["a new shop", false],
  ["a shop that comes back", true],
])("several sign-ins of %s at once are one install, and keep its connection", async (_, isBack) => {
  const clock = movableClock();
  const shop: ShopDomain = isBack
    ? await installedShop(db)
    : `racing-${clock.now().getTime()}.myshopify.com`;
  if (isBack) {
    await connect(db, shop);
    await readyRequest(db, shop);
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
    await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
    clock.advance(1000);
  }
  const install = () =>
    installShop({ tenancy: db.tenancy, clock, logger }, { shop, scope: "read_orders" });
  await Promise.all([install(), install(), install(), install()]);
  const count = async (statement: string) =>
    (await db.pool.query<{ n: number }>(statement, [shop])).rows[0]?.n;
  expect(await count("SELECT count(*)::int AS n FROM shops WHERE shop = $1")).toBe(1);
  expect(await count("SELECT count(*)::int AS n FROM connections WHERE shop = $1")).toBe(
    isBack ? 1 : 0,
  );
  const jobs = "SELECT count(*)::int AS n FROM outbox WHERE shop = $1 AND name =";
  expect(await count(`${jobs} 'read-store'`)).toBe(1);
  expect(await count(`${jobs} 'create-referral'`)).toBe(isBack ? 1 : 0);
});

describe("a store that signs in under the name of one that has left", () => {
  async function left() {
    const run = await start();
    const { shop, clock, install, uninstall, jobs } = run;
    const [storeId, other] = [newStore(), newStore()];
    await readyRequest(db, shop);
    await install(storeId);
    await jobs();
    clock.advance(1000);
    await uninstall(clock.now());
    clock.advance(1000);
    const row = () => db.tenancy.inShop(shop, (tenant) => tenant.shops.find());
    return { ...run, storeId, other, row };
  }

  test("brings nothing of it back", async () => {
    const { install, other, row, jobs } = await left();
    const before = await row();
    expect(await install(other)).toBe("of_other_store");
    expect(await row()).toEqual({ ...before, otherStoreId: other });
    expect(await jobs()).toBe(0);
  });

  test("is not let in while Shopify does not tell which store it is", async () => {
    const { install, row, jobs } = await left();
    const before = await row();
    expect(await install(null)).toBe("unknown");
    expect(await row()).toEqual(before);
    expect(await jobs()).toBe(0);
  });

  test("is let in where it is that store, also after another had the name", async () => {
    const { install, storeId, other, row, jobs } = await left();
    await install(other);
    expect(await install(storeId)).toBe("kept");
    expect(await row()).toMatchObject({ installed: true, storeId, otherStoreId: null });
    expect(await jobs()).toBe(1);
  });
});

test("another store that signs in under the name of one that is installed changes nothing of it but the doubt", async () => {
  const { shop, clock, install, jobs } = await start();
  const [storeId, other] = [newStore(), newStore()];
  await readyRequest(db, shop);
  await install(storeId);
  const row = () => db.tenancy.inShop(shop, (tenant) => tenant.shops.find());
  const before = await row();
  await jobs();
  clock.advance(3_600_000);
  expect(await install(other)).toBe("kept");
  expect(await row()).toEqual({ ...before, otherStoreId: other });
  expect(await jobs()).toBe(0);
  // An answer that did not come tells nothing of an installed shop.
  expect(await install(null)).toBe("kept");
});
