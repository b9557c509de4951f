import { beforeEach, expect, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import {
  type Kind,
  orderId,
  overviewRun,
  query,
} from "../../../../../test/database/overview-run.ts";
import { installedShop, orderLine, storeOrder } from "../../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../../kernel/ids.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { readHome } from "../../read-home.ts";
import { readAttention, readOrders } from "../../read-orders.ts";

const URGENT: Kind = {
  state: "created",
  reviewReason: { code: "urgent_result_held", detail: null },
};

const db = await openTestDatabase();
const { start, inShop, order } = overviewRun(db);
let shop: ShopDomain;

beforeEach(async () => {
  shop = await start();
});

test("lists each order and reason once that needs a person, newest first", async () => {
  await order(1, [{ state: "held" }, { state: "held" }], { daysAgo: 1 });
  await order(2, [
    { state: "created", reviewReason: { code: "half_created", detail: null } },
    { state: "created", result: { released: false, inReview: false } },
    { state: "created", result: { released: false, inReview: true } },
  ]);
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), ["unmapped_line"]));
  const items = await inShop((tenant) => tenant.overview.attentionOf([orderId(1), orderId(2)]));
  expect(
    items.map(({ orderName, reason, requestIds }) => [orderName, reason.code, requestIds.length]),
  ).toEqual([
    ["#2", "half_created", 1],
    ["#2", "results_held", 1],
    ["#1", "held", 2],
    ["#1", "unmapped_line", 0],
  ]);
});

test("finds the orders whose tests need a person for some reasons, oldest first, and no other shop's", async () => {
  await order(1, [URGENT, { state: "held" }], { daysAgo: 2 });
  await order(2, [{ state: "held" }]);
  await order(3, [URGENT, URGENT], { daysAgo: 5 });
  await order(4, [URGENT], { of: await installedShop(db) });
  const found = (limit: number) =>
    inShop((tenant) => tenant.overview.ordersWithReason(["urgent_result_held"], limit));
  expect(await found(10)).toEqual([orderId(3), orderId(1)]);
  expect(await found(1)).toEqual([orderId(3)]);
});

test("shows what cannot wait before the first page, and no reason twice", async () => {
  const code = "urgent_result_held";
  await order(1, [URGENT, { state: "held" }], { daysAgo: 2 });
  await order(2, [{ state: "held" }]);
  const clock = { now: () => START };
  const page = (start: OrderQuery["start"], size: number) =>
    readAttention({ tenancy: db.tenancy, clock }, { shop, start, size });
  const said = (items: { orderName: string; reason: { code: string } }[]) =>
    items.map(({ orderName, reason }) => `${orderName} ${reason.code}`);
  const first = await page(null, 1);
  expect([said(first.today), said(first.items)]).toEqual([[`#1 ${code}`], ["#2 held"]]);
  const second = await page({ after: first.next ?? expect.unreachable() }, 1);
  expect([said(second.today), said(second.items)]).toEqual([[], ["#1 held"]]);
});

test("shows on home what cannot wait before newer orders that can", async () => {
  await order(1, [URGENT], { daysAgo: 20 });
  for (let number = 2; number <= 8; number++) await order(number, [{ state: "held" }]);
  const { attention, hasMoreAttention } = await readHome(
    { tenancy: db.tenancy, clock: { now: () => START } },
    shop,
  );
  expect(attention.map(({ orderName }) => orderName)).toEqual(["#1", "#8", "#7", "#6", "#5"]);
  expect(attention[0]?.reason.code).toBe("urgent_result_held");
  expect(hasMoreAttention).toBe(true);
});

test("leads on past a page that holds nothing but what stands above it", async () => {
  await order(1, [{ state: "held" }], { daysAgo: 9 });
  for (let number = 2; number <= 5; number++) await order(number, [URGENT]);
  const page = (start: OrderQuery["start"]) =>
    readAttention({ tenancy: db.tenancy, clock: { now: () => START } }, { shop, start, size: 2 });
  const first = await page(null);
  expect(first.today).toHaveLength(4);
  expect(first.items.map(({ orderName }) => orderName)).toEqual(["#1"]);
  expect([first.previous, first.next]).toEqual([null, null]);
});

test("shows what cannot wait again to whoever turns back to the first page", async () => {
  await order(1, [URGENT], { daysAgo: 20 });
  for (let number = 2; number <= 4; number++)
    await order(number, [{ state: "held" }], { daysAgo: 9 - number });
  const page = (start: OrderQuery["start"]) =>
    readAttention({ tenancy: db.tenancy, clock: { now: () => START } }, { shop, start, size: 2 });
  const { next } = await page(null);
  const second = await page({ after: next ?? expect.unreachable() });
  expect(second.today).toEqual([]);
  const back = await page({ before: second.previous ?? expect.unreachable() });
  expect(back.today.map(({ orderName }) => orderName)).toEqual(["#1"]);
});

test("goes back to the first page when everything on a later one was dealt with meanwhile", async () => {
  for (let number = 1; number <= 3; number++)
    await order(number, [{ state: "held" }], { daysAgo: 9 - number });
  const clock = { now: () => START };
  const page = (start: OrderQuery["start"]) =>
    readAttention({ tenancy: db.tenancy, clock }, { shop, start, size: 2 });
  const { next } = await page(null);
  await db.pool.query("DELETE FROM referral_requests WHERE shop = $1 AND order_id = $2", [
    shop,
    orderId(1),
  ]);
  const stale = await page({ after: next ?? expect.unreachable() });
  expect(stale.items.map(({ orderName }) => orderName)).toEqual(["#3", "#2"]);
  expect([stale.previous, stale.next]).toEqual([null, null]);
});

test("begins the list of orders anew behind its end", async () => {
  await order(1, [{ state: "held" }]);
  const read = (change: Partial<OrderQuery>) =>
    readOrders(
      { tenancy: db.tenancy, clock: { now: () => START } },
      { shop, ...query({ filter: "attention", ...change }) },
    );
  const { orders } = await read({ start: { after: "1-1" } });
  expect(orders.map(({ name }) => name)).toEqual(["#1"]);
  expect((await read({ filter: "cancelled", start: { after: "1-1" } })).orders).toEqual([]);
});

test("an unmapped product is named by the reason that it gives, while any of it is bought", async () => {
  const lines = [
    orderLine({ number: 4 }),
    orderLine({ number: 5, currentQuantity: 0 }),
    orderLine({ number: 6 }),
  ];
  const states = lines.map(({ id }, index) => [id, index === 0 ? "mapped" : "unmapped"] as const);
  await inShop((tenant) =>
    tenant.orders.record(storeOrder({ id: orderId(1), lines }), new Map(states), START),
  );
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), ["unmapped_line"]));
  const items = await inShop((tenant) => tenant.overview.attentionOf([orderId(1)]));
  expect(items).toMatchObject([
    {
      reason: { code: "unmapped_line", detail: null },
      requestIds: [],
      variantId: gid("ProductVariant", 6),
      environment: null,
    },
  ]);
  // Test payments are staging's, wherever other orders go.
  await db.pool.query("UPDATE orders SET test = true WHERE shop = $1", [shop]);
  const [tried] = await inShop((tenant) => tenant.overview.attentionOf([orderId(1)]));
  expect(tried?.environment).toBe("staging");
});
