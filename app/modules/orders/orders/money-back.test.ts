import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** Staff gave an amount back and left the items on the order: Shopify calls it REFUNDED. */
const moneyBack = (fields = {}) => storeOrder({ isMoneyBack: true, ...fields });

test("an order whose money is back before it is read asks nobody for details, before a person wants it", async () => {
  const one = await orderInStore(db, shop);
  expect(await one.read(moneyBack())).toMatchObject({ kind: "reconciled", opened: 0 });
  expect(await one.reviewCode()).toBe("money_back");
  expect(await takeJobs(db, shop, "send-mail")).toEqual([]);
  one.clock.advance(1000);
  const wanted = { shop, orderId: storeOrder().id, isWanted: true };
  expect(await reconcileOrder(one.ports, wanted)).toMatchObject({ opened: 1 });
});

test("a person hears of units that are still ordered though all the money is back, until they are taken off", async () => {
  const one = await orderInStore(db, shop);
  const lines = [orderLine({ quantity: 2 })];
  expect(await one.read(storeOrder({ lines }))).toMatchObject({ opened: 2 });
  expect(await one.read(moneyBack({ lines }))).toMatchObject({ opened: 0, cancelled: 0 });
  expect(await one.reviewCode()).toBe("money_back");
  const none = [orderLine({ quantity: 2, currentQuantity: 0 })];
  expect(await one.read(moneyBack({ lines: none }))).toMatchObject({ cancelled: 2 });
  expect(await one.reviewCode()).toBeNull();
});
