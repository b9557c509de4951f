import { beforeEach, describe, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { mappedShop, mapVariant, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { createShopEraser } from "../../privacy/postgres/shop-eraser.ts";
import { importOrder } from "../import-order.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
const DAY_MS = 86_400_000;
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** An order that came into Shopify so many days after it was placed. */
function placed(daysBefore: number, fields = {}) {
  const createdAt = new Date("2026-11-25T00:00:00Z");
  const processedAt = new Date(createdAt.getTime() - daysBefore * DAY_MS);
  return storeOrder({ createdAt, processedAt, ...fields });
}

test("asks nobody about an order of long ago that was brought into Shopify, before a person wants it", async () => {
  const one = await orderInStore(db, shop);
  const order = placed(400);
  expect(await one.read(order)).toMatchObject({ kind: "reconciled", opened: 0 });
  expect(await one.reviewCode()).toBe("backdated");
  expect(await takeJobs(db, shop, "send-mail")).toEqual([]);
  expect(await one.read(order)).toMatchObject({ opened: 0 });

  await importOrder(one.ports, { shop, numberOrId: order.name });
  const [job] = await takeJobs(db, shop, "reconcile-order");
  expect(job).toMatchObject({ orderId: order.id, isWanted: true });
  one.clock.advance(1000);
  const wanted = { shop, orderId: order.id, isWanted: job?.isWanted };
  expect(await reconcileOrder(one.ports, wanted)).toMatchObject({ opened: 1 });
  expect(await one.reviewCode()).toBeNull();
  expect(await takeJobs(db, shop, "send-mail")).toHaveLength(1);
  // It goes on like every other order.
  const grown = placed(400, { lines: [orderLine({ quantity: 2 })] });
  expect(await one.read(grown)).toMatchObject({ opened: 1 });
});

test("takes an order for a new one that came in some days late, or was paid long after it was placed", async () => {
  const counter = await orderInStore(db, shop);
  expect(await counter.read(placed(3))).toMatchObject({ opened: 1 });
  const invoice = await orderInStore(db, shop, gid("Order", 1002));
  const order = placed(0, { id: gid("Order", 1002), updatedAt: new Date("2026-12-30T00:00:00Z") });
  expect(await invoice.read(order)).toMatchObject({ opened: 1 });
});

test("says nothing of an old order that sold no test", async () => {
  const one = await orderInStore(db, shop);
  const lines = [orderLine({ variantId: gid("ProductVariant", 2) })];
  await one.read(placed(400, { lines }));
  expect(await one.reviewCode()).toBe("unmapped_line");
  const cancelled = placed(400, { cancelledAt: new Date() });
  await one.read(cancelled);
  expect(await one.reviewCode()).toBeNull();
});

describe("an order of before the shop had the app", () => {
  /** Shopify tells of it because staff marked or fulfilled it. */
  const bought = (days: number, fields = {}) => {
    const at = new Date(START.getTime() - days * DAY_MS);
    return storeOrder({ createdAt: at, processedAt: at, ...fields });
  };

  test("opens nothing when the store tells of it, before a person wants it", async () => {
    const one = await orderInStore(db, shop);
    const order = bought(30, { updatedAt: new Date(START.getTime() + DAY_MS) });
    expect(await one.read(order)).toMatchObject({ kind: "reconciled", opened: 0 });
    expect(await one.reviewCode()).toBe("backdated");
    expect(await takeJobs(db, shop, "send-mail")).toEqual([]);
    const wanted = { shop, orderId: order.id, isWanted: true };
    expect(await reconcileOrder(one.ports, wanted)).toMatchObject({ opened: 1 });
    expect(await one.reviewCode()).toBeNull();
  });

  test("is opened when it was placed while the merchant was about to open the app", async () => {
    const one = await orderInStore(db, shop);
    expect(await one.read(bought(2))).toMatchObject({ opened: 1 });
  });

  test("is opened when the shop had left and came back: what was bought meanwhile is owed", async () => {
    const one = await orderInStore(db, shop);
    one.clock.advance(60 * DAY_MS);
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.shops.uninstall(new Date(START.getTime() + DAY_MS));
      await tenant.shops.install("", one.clock.now());
    });
    expect(await one.read(bought(-30))).toMatchObject({ opened: 1 });
  });

  test("orders no test anew for a shop that was forgotten and returns", async () => {
    const one = await orderInStore(db, shop);
    expect(await one.read(bought(-1))).toMatchObject({ opened: 1 });
    one.clock.advance(10 * DAY_MS);
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(one.clock.now()));
    const at = one.clock.now();
    await createShopEraser(db.pool).erase(shop, { askedAt: at, doneAt: at });
    one.clock.advance(3 * DAY_MS);
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", one.clock.now()));
    await mapVariant(db, shop, gid("ProductVariant", 1));
    expect(await one.read(bought(-1))).toMatchObject({ opened: 0 });
    expect(await one.reviewCode()).toBe("backdated");
  });
});
