import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { mappedShop, mapVariant, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { importOrders } from "../import-orders.ts";
import { reconcileOrder } from "../reconcile-order.ts";
import { startOrderImport } from "../start-order-import.ts";

const db = await openTestDatabase();
const UNMAPPED = gid("ProductVariant", 2);
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

const bought = (quantity: number, fields = {}) =>
  storeOrder({ lines: [orderLine({ quantity })], ...fields });
const IN_PART = { paid: false, paidInPart: true };

test("units that were paid for wait visibly when their product is mapped while something is owed", async () => {
  const one = await orderInStore(db, shop);
  const lines = [orderLine(), orderLine({ number: 2, variantId: UNMAPPED })];
  await one.read(storeOrder({ lines }));
  const grown = storeOrder({ lines: [orderLine({ quantity: 2 }), lines[1] ?? orderLine()] });
  await one.read({ ...grown, ...IN_PART });
  expect(await one.reviewCode()).toBe("unmapped_line");
  await mapVariant(db, shop, UNMAPPED);
  expect(await one.read({ ...grown, ...IN_PART })).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBe("paid_in_part");
  expect(await one.requests()).toHaveLength(1);
  // The balance is paid.
  expect(await one.read(grown)).toMatchObject({ opened: 2 });
  expect(await one.reviewCode()).toBeNull();
});

test("stops waiting when the added unit is taken off again", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  await one.read(bought(3, IN_PART));
  expect(await one.reviewCode()).toBe("paid_in_part");
  await one.read(bought(1, IN_PART));
  expect(await one.reviewCode()).toBeNull();
  await one.read(bought(3, IN_PART));
  await one.read(bought(3, { ...IN_PART, cancelledAt: new Date() }));
  expect(await one.reviewCode()).toBeNull();
});

test("an order that is paid in part when it is first read is shown, and nothing is ordered for it", async () => {
  const one = await orderInStore(db, shop);
  expect(await one.read(bought(2, IN_PART))).toMatchObject({ kind: "reconciled", opened: 0 });
  expect(await one.read(bought(2, IN_PART))).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBe("paid_in_part");
  expect(await one.requests()).toEqual([]);
  expect(await one.story()).toEqual(["order_read"]);
  expect(await one.read(bought(2))).toMatchObject({ opened: 2 });
});

const VOIDED = { paid: false, paidInPart: false, isMoneyBack: true };

test("waits for no money any more once the payment was voided, and for no mapping", async () => {
  const one = await orderInStore(db, shop);
  const lines = [orderLine({ quantity: 2 }), orderLine({ number: 2, variantId: UNMAPPED })];
  await one.read(storeOrder({ lines, ...IN_PART }));
  expect(await one.reviewCode()).toBe("unmapped_line");
  expect(await one.read(storeOrder({ lines, ...VOIDED }))).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBeNull();
  expect(await one.requests()).toEqual([]);
  // The customer paid after all.
  expect(await one.read(storeOrder({ lines }))).toMatchObject({ opened: 2 });
});

test("a free line without a mapping is asked about though nobody has paid for what was added since", async () => {
  const one = await orderInStore(db, shop);
  const free = [orderLine({ number: 2, variantId: UNMAPPED })];
  await one.read(storeOrder({ lines: free }));
  const grown = { lines: [...free, orderLine()], paid: false };
  await one.read(storeOrder(grown));
  expect(await one.reviewCode()).toBe("unmapped_line");
  await mapVariant(db, shop, UNMAPPED);
  await one.read(storeOrder(grown));
  expect(await one.reviewCode()).toBe("paid_in_part");
});

test("a person hears of tests that go on though their payment was voided, and no wish orders more", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  await one.read(bought(2, IN_PART));
  await one.read(bought(2, VOIDED));
  expect(await one.reviewCode()).toBe("money_back");
  one.clock.advance(1000);
  const wanted = { shop, orderId: storeOrder().id, isWanted: true };
  expect(await reconcileOrder(one.ports, wanted)).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBe("money_back");
  expect(await one.requests()).toHaveLength(1);
});

test("a unit that was added to an order without cost waits visibly for its money", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  expect(await one.read(bought(2, { paid: false }))).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBe("paid_in_part");
  expect(await one.read(bought(2))).toMatchObject({ opened: 1 });
});

test("an order for which nothing was paid is still not known", async () => {
  const one = await orderInStore(db, shop);
  expect(await one.read(bought(2, { paid: false }))).toEqual({ kind: "not_paid" });
  expect(await one.reviewCode()).toBeUndefined();
});

test("the look for missed orders brings in one that is paid in part", async () => {
  const one = await orderInStore(db, shop);
  one.store.orders = [bought(2, IN_PART)];
  one.clock.advance(1000);
  const since = new Date(0);
  const started = await startOrderImport(one.ports, { shop, since, askedBy: "staff:1" });
  if (started.kind !== "started") throw new Error(started.kind);
  expect(await importOrders(one.ports, { shop, orderImportId: started.orderImport.id })).toEqual({
    kind: "finished",
    imported: 1,
    changed: 0,
  });
});
