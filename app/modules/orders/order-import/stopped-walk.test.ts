import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type MovableClock, movableClock, START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop, storeOrder } from "../../../../test/database/seed.ts";
import { type SmallStore, startSmallStore } from "../../../../test/database/small-store.ts";
import { StoreError } from "../../../clients/shopify/store-error.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { importOrders } from "../import-orders.ts";
import { importOrdersWhenDue } from "../import-orders-when-due.ts";
import { cancelOrderImport, startOrderImport } from "../start-order-import.ts";

const db = await openTestDatabase();
const HOUR_MS = 3_600_000;
let shop: ShopDomain;
let store: SmallStore;
let clock: MovableClock;
const ports = () => ({ tenancy: db.tenancy, clock, ...store, maintenanceIntervalMs: HOUR_MS });

beforeEach(async () => {
  shop = await installedShop(db);
  clock = movableClock();
  store = await startSmallStore();
  onTestFinished(() => store.close());
});

const latest = () => db.tenancy.inShop(shop, (tenant) => tenant.orderImports.latest("schedule"));
async function walkOnePage() {
  const walk = await latest();
  if (!walk) throw new Error("nothing was begun");
  return importOrders(ports(), { shop, orderImportId: walk.id });
}
async function walkToTheEnd() {
  while ((await walkOnePage()).kind === "page");
}
/** The next regular look, an interval later. */
async function lookAgain() {
  clock.advance(HOUR_MS);
  expect(await importOrdersWhenDue(ports(), shop)).toMatchObject({ kind: "started" });
  return latest();
}
const hoursAfterStart = (hours: number) => new Date(START.getTime() + hours * HOUR_MS);
const order = (number: number, hour: number) =>
  storeOrder({
    id: gid("Order", number),
    name: `#${number}`,
    updatedAt: hoursAfterStart(hour),
  });

/** One look that went to its end, and another five days later that is still to begin. */
async function awayForFiveDays() {
  await importOrdersWhenDue(ports(), shop);
  await walkToTheEnd();
  clock.advance(120 * HOUR_MS);
  return (await latest())?.until;
}

test("a regular look that was stopped before its first page is begun again from where it began", async () => {
  const since = await awayForFiveDays();
  // A stopped walk hands the beginning on to the next, whatever stopped it.
  await lookAgain();
  await cancelOrderImport(ports(), shop);
  await lookAgain();
  await startOrderImport(ports(), { shop, since: hoursAfterStart(119), askedBy: "staff:1" });
  await cancelOrderImport(ports(), shop);
  expect(await lookAgain()).toMatchObject({ since });
});

test("a regular look that was stopped on its way goes on from the last order that it saw", async () => {
  store.orders = [order(1, 10), order(2, 20), order(3, 30), order(4, 40), order(5, 50)];
  await awayForFiveDays();
  await lookAgain();
  await walkOnePage();
  await cancelOrderImport(ports(), shop);
  expect(await lookAgain()).toMatchObject({ since: hoursAfterStart(20) });
  await walkOnePage();
  await cancelOrderImport(ports(), shop);
  // The order that was seen last is seen once more: others may have changed in the same moment.
  expect(await lookAgain()).toMatchObject({ since: hoursAfterStart(30) });
  await walkToTheEnd();
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT DISTINCT payload->>'orderId' AS id FROM outbox WHERE shop = $1 AND name = 'reconcile-order' ORDER BY 1",
    [shop],
  );
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((number) => gid("Order", number)));
});

test("a regular look that the app was taken off under is made up for when the shop comes back", async () => {
  const since = await awayForFiveDays();
  await lookAgain();
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  expect(await walkOnePage()).toEqual({ kind: "not_due" });
  expect(await latest()).toMatchObject({ state: "cancelled" });
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", clock.now()));
  expect(await lookAgain()).toMatchObject({ since });
});

test("a look whose place in the list Shopify refuses goes on from the last change that it came to", async () => {
  await importOrdersWhenDue(ports(), shop);
  store.orders = [1, 2, 3, 4, 5].map((number) => order(number, -number));
  expect(await walkOnePage()).toMatchObject({ kind: "page" });
  const begun = await latest();
  expect(begun?.cursor).not.toBeNull();
  const refusesPlaces = {
    ...store.storeOrderList,
    async page(...of: Parameters<typeof store.storeOrderList.page>) {
      if (of[1].after === begun?.cursor) throw new StoreError("store_refused");
      return store.storeOrderList.page(...of);
    },
  };
  const walk = () =>
    importOrders(
      { ...ports(), storeOrderList: refusesPlaces },
      { shop, orderImportId: begun?.id ?? "" },
    );
  await expect(walk()).rejects.toMatchObject({ code: "store_refused" });
  expect(await latest()).toMatchObject({
    state: "running",
    failure: "store_refused",
    cursor: null,
  });
  // Its job is tried again.
  await walk();
  expect(await latest()).toMatchObject({ failure: null, since: begun?.reached });
});
