import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type MovableClock, movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { mappedShop, storeOrder } from "../../../test/database/seed.ts";
import { type SmallStore, startSmallStore } from "../../../test/database/small-store.ts";
import { takeJobs } from "../../../test/database/take-jobs.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { importOrder } from "./import-order.ts";
import { importOrders } from "./import-orders.ts";
import { importOrdersWhenDue } from "./import-orders-when-due.ts";
import { reconcileOrder } from "./reconcile-order.ts";
import { cancelOrderImport, startOrderImport } from "./start-order-import.ts";

const db = await openTestDatabase();
const HOUR_MS = 3_600_000;
let shop: ShopDomain;
let store: SmallStore;
let clock: MovableClock;
const ports = () => ({ tenancy: db.tenancy, clock, ...store, maintenanceIntervalMs: HOUR_MS });

beforeEach(async () => {
  shop = await mappedShop(db);
  clock = movableClock();
  clock.advance(HOUR_MS);
  store = await startSmallStore();
  onTestFinished(() => store.close());
});

/** An order that was changed so many minutes after START. */
const order = (number: number, minute = number, fields = {}) =>
  storeOrder({
    id: gid("Order", number),
    name: `#${number}`,
    updatedAt: new Date(START.getTime() + minute * 60_000),
    ...fields,
  });

const latest = () => db.tenancy.inShop(shop, (tenant) => tenant.orderImports.latest());
const start = async () => {
  clock.advance(1000);
  const outcome = await startOrderImport(ports(), { shop, since: START, askedBy: "staff:1" });
  if (outcome.kind !== "started") throw new Error(outcome.kind);
  return outcome.orderImport.id;
};
const page = (orderImportId: string) => importOrders(ports(), { shop, orderImportId });
/** Works off what is queued until nothing is left. */
async function settle() {
  for (;;) {
    const [pages, orders] = [
      await takeJobs(db, shop, "import-orders"),
      await takeJobs(db, shop, "reconcile-order"),
    ];
    if (pages.length + orders.length === 0) return;
    for (const { orderImportId } of pages) await page(orderImportId ?? "");
    for (const { orderId } of orders)
      await reconcileOrder(ports(), { shop, orderId: gid("Order", orderId ?? "") });
  }
}
const opened = async () =>
  (await db.pool.query("SELECT FROM referral_requests WHERE shop = $1", [shop])).rowCount;

describe("a look for missed orders", () => {
  test("brings in what was missed by the way of every webhook, and counts it", async () => {
    store.orders = [1, 2, 3, 4, 5].map((number) => order(number));
    await reconcileOrder(ports(), { shop, orderId: gid("Order", 2) });
    await start();
    await settle();
    expect(await latest()).toMatchObject({ state: "done", seen: 5, imported: 4, pages: 3 });
    expect(await opened()).toBe(5);
  });

  test("asks nothing more about orders that are known and unchanged, and reads changed ones again", async () => {
    store.orders = [order(1), order(2)];
    await start();
    await settle();
    store.calls.length = 0;
    await start();
    await settle();
    expect(store.calls).toEqual(["PathwayOrderList"]);
    expect(await latest()).toMatchObject({ seen: 2, imported: 0, changed: 0 });
    store.orders = [order(1), order(2, 30, { cancelledAt: START })];
    await start();
    await settle();
    expect(await latest()).toMatchObject({ imported: 0, changed: 1 });
    const { rows } = await db.pool.query(
      "SELECT order_id, state FROM referral_requests WHERE shop = $1 ORDER BY order_id",
      [shop],
    );
    expect(rows.map((row) => row.state)).toEqual(["awaiting_details", "cancelled"]);
  });

  test("asks another store for nothing that has the name, says so, and goes on once that is over", async () => {
    const identify = (store: number) =>
      db.tenancy.inShop(shop, ({ shops }) => shops.identify(`gid://shopify/Shop/${shop} ${store}`));
    await identify(1);
    store.orders = [order(1)];
    const id = await start();
    await identify(2);
    await takeJobs(db, shop, "import-orders");
    expect(await page(id)).toEqual({ kind: "held" });
    expect(store.calls).toEqual([]);
    expect(await latest()).toMatchObject({ state: "running", failure: "domain_of_other_store" });
    expect(await takeJobs(db, shop, "import-orders")).toMatchObject([{ orderImportId: id }]);
    await identify(1);
    expect(await page(id)).toEqual({ kind: "finished", imported: 1, changed: 0 });
    expect(await latest()).toMatchObject({ failure: null });
  });

  test("does not take in what is not paid", async () => {
    store.orders = [order(1, 1, { paid: false })];
    await start();
    await settle();
    expect(await latest()).toMatchObject({ seen: 1, imported: 0 });
    expect(await opened()).toBe(0);
  });

  test("goes on where its last page ended, and a page that comes twice counts once", async () => {
    store.orders = [1, 2, 3, 4, 5].map((number) => order(number));
    const id = await start();
    // Both began before either had written anything down, as after a worker that was thought dead.
    const bothAsked = Promise.withResolvers<void>();
    let asked = 0;
    const together = {
      ...store.storeOrderList,
      async page(...of: Parameters<typeof store.storeOrderList.page>) {
        if (++asked === 2) bothAsked.resolve();
        await bothAsked.promise;
        return store.storeOrderList.page(...of);
      },
    };
    const run = () =>
      importOrders({ ...ports(), storeOrderList: together }, { shop, orderImportId: id });
    const outcomes = await Promise.all([run(), run()]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["not_due", "page"]);
    expect(await latest()).toMatchObject({ pages: 1, seen: 2, imported: 2, cursor: "2" });
    // The process dies here; the job that was queued with the page is all there is.
    await settle();
    expect(await latest()).toMatchObject({ state: "done", pages: 3, seen: 5, imported: 5 });
    expect(await opened()).toBe(5);
  });

  test("that cannot be read waits where it is, and says why", async () => {
    store.orders = [order(1)];
    const id = await start();
    store.status = 503;
    await expect(page(id)).rejects.toThrow();
    expect(await latest()).toMatchObject({
      state: "running",
      pages: 0,
      failure: "store_unreachable",
    });
    store.status = null;
    expect(await page(id)).toMatchObject({ kind: "finished", imported: 1 });
    expect(await latest()).toMatchObject({ state: "done", failure: null });
  });

  test("is one at a time, can be stopped, and leaves an uninstalled shop alone", async () => {
    store.orders = [order(1), order(2), order(3)];
    const id = await start();
    expect(
      await startOrderImport(ports(), { shop, since: START, askedBy: "schedule" }),
    ).toMatchObject({
      kind: "already_running",
      orderImport: { id },
    });
    expect(await cancelOrderImport(ports(), shop)).toEqual({ kind: "cancelled" });
    expect(await cancelOrderImport(ports(), shop)).toEqual({ kind: "not_running" });
    expect(await page(id)).toEqual({ kind: "not_due" });
    const second = await start();
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(new Date()));
    store.calls.length = 0;
    expect(await page(second)).toEqual({ kind: "not_due" });
    expect(store.calls).toEqual([]);
    expect(await startOrderImport(ports(), { shop, since: START, askedBy: "schedule" })).toEqual({
      kind: "not_installed",
    });
  });
});

test("the regular look begins anew when the shop comes back, from where the last one got to", async () => {
  clock.advance(72 * HOUR_MS);
  await importOrdersWhenDue(ports(), shop);
  const before = await latest();
  await settle();
  clock.advance(60_000);
  expect(await importOrdersWhenDue(ports(), shop)).toEqual({ kind: "not_due" });
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.uninstall(clock.now());
    clock.advance(60_000);
    await tenant.shops.install("", clock.now());
  });
  expect(await importOrdersWhenDue(ports(), shop)).toMatchObject({ kind: "started" });
  expect((await latest())?.since.getTime()).toBeLessThanOrEqual(before?.until.getTime() ?? 0);
  await settle();
  clock.advance(60_000);
  expect(await importOrdersWhenDue(ports(), shop)).toEqual({ kind: "not_due" });
});

test("the regular look begins once an interval, leaves out what is just coming, and misses no gap", async () => {
  clock.advance(72 * HOUR_MS);
  expect(await importOrdersWhenDue(ports(), shop)).toMatchObject({ kind: "started" });
  const first = await latest();
  expect(first?.until).toEqual(new Date(clock.now().getTime() - 5 * 60_000));
  await settle();
  expect(await importOrdersWhenDue(ports(), shop)).toEqual({ kind: "not_due" });
  // Away for five days: the next one begins where the last one ended.
  clock.advance(120 * HOUR_MS);
  await importOrdersWhenDue(ports(), shop);
  expect((await latest())?.since).toEqual(first?.until);
});

test("the regular look begins though the last one was begun by a clock that was ahead", async () => {
  clock.advance(72 * HOUR_MS);
  await importOrdersWhenDue(ports(), shop);
  await settle();
  clock.advance(-60 * HOUR_MS);
  store.orders = [order(1001, 12 * 60)];
  expect(await importOrdersWhenDue(ports(), shop)).toMatchObject({ kind: "started" });
  await settle();
  expect(await opened()).toBe(1);
});

test("a person's look takes the place of the regular one, and not of another's", async () => {
  clock.advance(72 * HOUR_MS);
  await importOrdersWhenDue(ports(), shop);
  await start();
  expect(await latest()).toMatchObject({ askedBy: "staff:1", since: START, state: "running" });
  expect((await importOrdersWhenDue(ports(), shop)).kind).not.toBe("started");
  await importOrdersWhenDue(ports(), shop);
  expect((await db.tenancy.inShop(shop, (t) => t.orderImports.latest("staff")))?.state).toBe(
    "running",
  );
});

describe("one order, by its number", () => {
  test.each(["1001", "#1001", "gid://shopify/Order/1001"])("%s", async (numberOrId) => {
    store.orders = [order(1001), order(10012)];
    const outcome = await importOrder(ports(), { shop, numberOrId });
    expect(outcome).toEqual({ kind: "queued", orderId: gid("Order", 1001), name: "#1001" });
    await settle();
    expect(await opened()).toBe(1);
    expect(await importOrder(ports(), { shop, numberOrId })).toMatchObject({ kind: "known" });
  });

  test.each([
    ["PATH/1001 AU", "PATH/1001 AU"],
    ["AU#1001", "au#1001"],
    ["#LAB-1001", "lab-1001"],
  ])("%s, as a shop writes its numbers, typed as %s", async (name, numberOrId) => {
    store.orders = [order(1001, 1, { name })];
    expect(await importOrder(ports(), { shop, numberOrId })).toMatchObject({
      kind: "queued",
      name,
    });
  });

  test("that is not there, or not paid", async () => {
    store.orders = [order(1001, 1, { paid: false })];
    for (const numberOrId of ["100", "gid://shopify/Customer/1", "gid:"])
      expect(await importOrder(ports(), { shop, numberOrId })).toEqual({ kind: "not_found" });
    expect(await importOrder(ports(), { shop, numberOrId: "1001" })).toMatchObject({
      kind: "not_paid",
    });
  });
});
