import { beforeEach, describe, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import {
  installedShop,
  mappedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { createShopEraser } from "../../privacy/postgres/shop-eraser.ts";
import { storeDoubt } from "../../shops/store-doubt.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
let stores = 0;
/** As Shopify names the store, under whatever domain. */
let storeId: string;
let former: ShopDomain;
let renamed: ShopDomain;
let number = 1000;

/** An order that no other test has, for Shopify gives no two orders one id. */
const sold = (fields = {}) => storeOrder({ id: gid("Order", ++number), storeId, ...fields });

const under = (shop: ShopDomain, { id }: { id: ReturnType<typeof sold>["id"] }) =>
  orderInStore(db, shop, id);

const of = <T>(shop: ShopDomain, column: string) =>
  db.pool
    .query<{ value: T }>(`SELECT ${column} AS value FROM shops WHERE shop = $1`, [shop])
    .then(({ rows }) => rows[0]?.value);

const doubtOf = (shop: ShopDomain) => db.tenancy.inShop(shop, storeDoubt);

const identify = (shop: ShopDomain, id = storeId) =>
  db.tenancy.inShop(shop, (tenant) => tenant.shops.identify(id));

beforeEach(async () => {
  storeId = `gid://shopify/Shop/${++stores}`;
  former = await mappedShop(db);
  renamed = await mappedShop(db);
});

describe("an order that the former name ordered", () => {
  test("is not ordered again under the new one, and a person is told", async () => {
    const order = sold();
    expect(await (await under(former, order)).read(order)).toMatchObject({ opened: 1 });
    const after = await under(renamed, order);
    expect(await after.read(order)).toMatchObject({ opened: 0 });
    expect(await after.requests()).toEqual([]);
    expect(await after.reviewCode()).toBe("other_name");
  });

  test("is not ordered again though a person names it, or an edit adds to it", async () => {
    const order = sold();
    await (await under(former, order)).read(order);
    const after = await under(renamed, order);
    await after.read(order);
    const wanted = { shop: renamed, orderId: order.id, isWanted: true };
    expect(await reconcileOrder(after.ports, wanted)).toMatchObject({ opened: 0 });
    const grown = { ...order, lines: [orderLine({ quantity: 2 })] };
    expect(await after.read(grown)).toMatchObject({ opened: 0 });
    expect(await after.reviewCode()).toBe("other_name");
  });

  test("is not ordered again once its products are mapped", async () => {
    const order = sold();
    await (await under(former, order)).read(order);
    const unmapped = await installedShop(db);
    const after = await under(unmapped, order);
    await after.read(order);
    expect(await after.reviewCode()).toBe("unmapped_line");
    await mapVariant(db, unmapped, gid("ProductVariant", 1));
    expect(await after.read(order)).toMatchObject({ opened: 0 });
    expect(await after.reviewCode()).toBe("other_name");
  });

  test("is not ordered again when the former name has left since, before its data is erased", async () => {
    const [kept, erased] = [sold(), sold()];
    for (const order of [kept, erased]) await (await under(former, order)).read(order);
    const at = new Date(Date.now() + 86_400_000);
    await db.tenancy.inShop(former, (tenant) => tenant.shops.uninstall(at));
    expect(await (await under(renamed, kept)).read(kept)).toMatchObject({ opened: 0 });
    expect(await doubtOf(renamed)).toBe("store_has_other_name");
    await createShopEraser(db.pool).erase(former, { askedAt: at, doneAt: at });
    expect(await doubtOf(renamed)).toBeNull();
    expect(await (await under(renamed, erased)).read(erased)).toMatchObject({ opened: 1 });
  });

  test("is not ordered again though the id of the former name's store was never read", async () => {
    const order = sold();
    const { storeId: _, ...untold } = order;
    expect(await (await under(former, order)).read(untold)).toMatchObject({ opened: 1 });
    expect(await of(former, "store_id")).toBeNull();
    expect(await (await under(renamed, order)).read(order)).toMatchObject({ opened: 0 });
  });
});

describe("a refund that comes under the new name alone", () => {
  /** Two units of an order that came under the former name. */
  async function orderedBefore() {
    const order = sold({ lines: [orderLine({ quantity: 2 })] });
    const before = await under(former, order);
    await before.read(order);
    return { order, before, after: await under(renamed, order) };
  }
  const left = (currentQuantity: number) => ({
    lines: [orderLine({ quantity: 2, currentQuantity })],
  });
  const statesOf = async ({ requests }: Awaited<ReturnType<typeof under>>) =>
    (await requests()).map(({ state }) => state).toSorted();

  test("ends the unit where it was ordered, and opens and ends nothing else", async () => {
    const { order, before, after } = await orderedBefore();
    await after.read(order);
    expect(await statesOf(before)).toEqual(["awaiting_details", "awaiting_details"]);
    await after.read({ ...order, ...left(1) });
    expect(await statesOf(before)).toEqual(["awaiting_details", "cancelled"]);
    expect(await after.requests()).toEqual([]);
    await after.read({ ...order, ...left(1) });
    expect(await statesOf(before)).toEqual(["awaiting_details", "cancelled"]);
  });

  test("ends units by the first reading under the new name, though nothing is mapped there and the former name has left", async () => {
    const { order, before } = await orderedBefore();
    await db.tenancy.inShop(former, (tenant) =>
      tenant.shops.uninstall(new Date(Date.now() + 86_400_000)),
    );
    const unmapped = await installedShop(db);
    await (await under(unmapped, order)).read({ ...order, ...left(0), cancelledAt: START });
    expect(await statesOf(before)).toEqual(["cancelled", "cancelled"]);
  });

  test("keeps a unit from being handed out that was ordered at the service, and tells a person once", async () => {
    const { order, before, after } = await orderedBefore();
    const [{ id = "" } = {}] = await before.requests();
    await db.pool.query("UPDATE referral_requests SET state = 'created' WHERE id = $1", [id]);
    await after.read({ ...order, ...left(0), cancelledAt: START });
    const requests = await before.requests();
    expect(requests.find((one) => one.id === id)).toMatchObject({
      state: "created",
      cancellation: { requestedBy: "store" },
    });
    expect(await after.reviewCode()).toBe("other_name");
    await db.tenancy.inShop(renamed, (tenant) => tenant.orders.markHandled(order.id, "other_name"));
    await after.read({ ...order, ...left(0), cancelledAt: START });
    const { rows } = await db.pool.query(
      "SELECT reason_code AS code FROM orders WHERE shop = $1 AND order_id = $2",
      [renamed, order.id],
    );
    expect(rows).toEqual([{ code: null }]);
  });

  test("ends nothing of another store, though its orders count alike", async () => {
    const { order, before } = await orderedBefore();
    const other = await mappedShop(db);
    const copied = { ...order, ...left(0), storeId: `${storeId}6` };
    await (await under(other, copied)).read(copied);
    expect(await statesOf(before)).toEqual(["awaiting_details", "awaiting_details"]);
  });
});

test("an order that came under the new name is not ordered under the former one, and goes on where it was", async () => {
  const order = sold();
  await identify(former);
  const after = await under(renamed, order);
  expect(await after.read(order)).toMatchObject({ opened: 1 });
  const before = await under(former, order);
  expect(await before.read(order)).toMatchObject({ opened: 0 });
  expect(await before.reviewCode()).toBe("other_name");
  const grown = { ...order, lines: [orderLine({ quantity: 2 })] };
  expect(await after.read(grown)).toMatchObject({ opened: 1 });
});

test("an order that comes under both names at once is ordered under one", async () => {
  for (const shop of [former, renamed]) await identify(shop);
  for (let tries = 0; tries < 5; tries++) {
    const order = sold();
    const both = [await under(former, order), await under(renamed, order)];
    await Promise.all(both.map((one) => one.read(order)));
    const opened = await Promise.all(both.map((one) => one.requests()));
    expect(opened.flat()).toHaveLength(1);
  }
});

test("stores that tell no id, and other stores, order what they sell", async () => {
  const { storeId: _, ...untold } = sold();
  for (const shop of [former, renamed])
    expect(await (await under(shop, untold)).read(untold)).toMatchObject({ opened: 1 });
  const order = sold();
  const other = await mappedShop(db);
  await identify(former);
  await (await under(former, order)).read(order);
  const copied = { ...order, storeId: `${storeId}9` };
  await identify(renamed, `${storeId}8`);
  expect(await (await under(other, copied)).read(copied)).toMatchObject({ opened: 1 });
  expect(await of(other, "hold_orders")).toBe(false);
});

describe("a store whose id is known under another name", () => {
  test("has its orders held from the first time that it tells its id", async () => {
    await identify(former);
    const order = sold();
    await (await under(renamed, order)).read(order);
    expect(await of(former, "hold_orders")).toBe(false);
    expect(await of(renamed, "hold_orders")).toBe(true);
    expect(await doubtOf(renamed)).toBe("store_has_other_name");
    expect(await doubtOf(former)).toBeNull();
  });

  test("goes on by itself once the merchant says so, also when its id is read again or it is installed again", async () => {
    for (const shop of [former, renamed]) await identify(shop);
    await db.tenancy.inShop(renamed, (tenant) =>
      tenant.shops.updateSettings({ holdOrders: false }),
    );
    await identify(renamed);
    await db.tenancy.inShop(renamed, async ({ shops }) => {
      await shops.uninstall(new Date(Date.now() + 86_400_000));
      await shops.install("", new Date());
      await shops.identify(storeId);
    });
    expect(await of(renamed, "hold_orders")).toBe(false);
    expect(await doubtOf(renamed)).toBeNull();
  });

  test("is held under one of two names that are installed at once", async () => {
    await Promise.all([former, renamed].map((shop) => identify(shop)));
    const held = await Promise.all([former, renamed].map((shop) => of(shop, "hold_orders")));
    expect(held.toSorted()).toEqual([false, true]);
  });
});

test("another store under a known name orders nothing, and none of its orders is kept among the former one's", async () => {
  await identify(former);
  const order = sold({ storeId: `${storeId}7` });
  const one = await under(former, order);
  expect(await one.read(order)).toEqual({ kind: "other_store" });
  expect(await one.requests()).toEqual([]);
  expect(await one.reviewCode()).toBeUndefined();
  expect(await doubtOf(former)).toBe("domain_of_other_store");
  expect(await of(former, "store_id")).toBe(storeId);
  const { rows } = await db.pool.query("SELECT state FROM inbox WHERE shop = $1", [former]);
  expect(rows).toEqual([{ state: "parked" }]);
  // The store has its name again.
  await identify(former);
  expect(await doubtOf(former)).toBeNull();
});
