import { beforeEach, expect, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { putRequest } from "../../../../../test/database/put-request.ts";
import {
  installedShop,
  newRequest,
  orderLine,
  storeOrder,
} from "../../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../../kernel/ids.ts";
import type { StoreOrder } from "../../../orders/order.ts";
import type { Environment } from "../../../shops/connection.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
let orders = 0;

beforeEach(async () => {
  shop = await installedShop(db);
});

/** An order that sold one variant while nobody had said what it means. */
const sell = (number: number, fields: Partial<StoreOrder> = {}, currentQuantity = 1) =>
  db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(
      storeOrder({
        id: gid("Order", ++orders),
        lines: [orderLine({ number, currentQuantity })],
        ...fields,
      }),
      new Map([[gid("LineItem", number), "unmapped"]]),
      START,
    ),
  );
const use = (environment: Environment) =>
  db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ environment }));
const sales = (environment: Environment) =>
  db.tenancy.inShop(shop, async (tenant) =>
    (await tenant.overview.unmappedSales(environment)).map(({ title, orders: count }) => [
      title,
      count,
    ]),
  );

test("sales are counted by order, without cancelled ones", async () => {
  await sell(5);
  await sell(5);
  await sell(5, { cancelledAt: START });
  expect(await sales("staging")).toEqual([["Test 5", 2]]);
});

test("counts no sale that was taken back whole", async () => {
  await sell(5, {}, 0);
  await sell(6);
  expect(await sales("staging")).toEqual([["Test 6", 1]]);
});

test("test payments are staging's, other sales those of the environment where orders go", async () => {
  await sell(5, { test: true });
  await sell(6);
  expect(await sales("staging")).toEqual([
    ["Test 5", 1],
    ["Test 6", 1],
  ]);
  expect(await sales("production")).toEqual([]);
  await use("production");
  expect(await sales("staging")).toEqual([["Test 5", 1]]);
  expect(await sales("production")).toEqual([["Test 6", 1]]);
});

test("counts no sale that was ordered before its mapping was removed", async () => {
  await sell(5, {}, 2);
  const order = { id: gid("Order", orders) };
  const requests = [1, 2].map((unit) => newRequest(shop, { ...storeOrder(order) }, { unit }));
  const opened = (count: number) =>
    db.tenancy.inShop(shop, (tenant) => tenant.requests.add(requests.slice(0, count), START));
  const line = gid("LineItem", 5);
  for (const request of requests) request.lineItemId = line;
  await opened(1);
  expect(await sales("staging")).toEqual([["Test 5", 1]]);
  await opened(2);
  expect(await sales("staging")).toEqual([]);
  // The store took one back and sold it again; another was cancelled by staff, and is paid for still.
  const cancel = (id: string | undefined, requestedBy: "staff" | null) =>
    db.tenancy.inShop(shop, (tenant) =>
      putRequest(tenant, id ?? "", {
        state: "cancelled",
        cancellation: requestedBy && { requestedBy, status: "done" },
      }),
    );
  await cancel(requests[0]?.id, "staff");
  expect(await sales("staging")).toEqual([]);
  await cancel(requests[1]?.id, null);
  expect(await sales("staging")).toEqual([["Test 5", 1]]);
});
