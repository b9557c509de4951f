import { beforeEach, expect, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { type Kind, orderId, overviewRun } from "../../../../../test/database/overview-run.ts";
import { installedShop, orderLine, storeOrder } from "../../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../../kernel/ids.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { readAttention } from "../../read-orders.ts";

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
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), "unmapped_line"));
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
  const urgent: Kind = {
    state: "created",
    reviewReason: { code: "urgent_result_held", detail: null },
  };
  await order(1, [urgent, { state: "held" }], { daysAgo: 2 });
  await order(2, [{ state: "held" }]);
  await order(3, [urgent, urgent], { daysAgo: 5 });
  await order(4, [urgent], { of: await installedShop(db) });
  const found = (limit: number) =>
    inShop((tenant) => tenant.overview.ordersWithReason(["urgent_result_held"], limit));
  expect(await found(10)).toEqual([orderId(3), orderId(1)]);
  expect(await found(1)).toEqual([orderId(3)]);
});

test("shows what cannot wait before the first page, and no reason twice", async () => {
  const code = "urgent_result_held";
  const urgent: Kind = { state: "created", reviewReason: { code, detail: null } };
  await order(1, [urgent, { state: "held" }], { daysAgo: 2 });
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
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), "unmapped_line"));
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
