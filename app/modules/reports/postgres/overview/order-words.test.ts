import { beforeEach, describe, expect, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { installedShop, orderLine, storeOrder } from "../../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../../kernel/ids.ts";
import { indexOrders } from "../../../orders/index-orders.ts";
import type { Buyer, StoreOrder } from "../../../orders/order.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { readSelection } from "../../selection-text.ts";
import { ordersByWords } from "./order-words.ts";

const db = await openTestDatabase();
let shop: ShopDomain;

beforeEach(async () => {
  shop = await installedShop(db);
});

const somebody = (firstName: string, lastName: string, email: string | null = null): Buyer => ({
  ...{ firstName, lastName, email },
  ...{ phone: null, address: null, statusUrl: null },
});

const HOUR_MS = 3_600_000;

async function order(
  number: number,
  fields: Partial<StoreOrder> & { title?: string } = {},
  of = shop,
) {
  const { title = "Iron studies", ...rest } = fields;
  const read = storeOrder({
    id: gid("Order", number),
    name: `#${number}`,
    processedAt: new Date(START.getTime() + number * HOUR_MS),
    lines: [orderLine({ number, title })],
    ...rest,
  });
  await db.tenancy.inShop(of, (tenant) => tenant.orders.record(read, new Map(), START));
}

const query = (search: string, change: Partial<OrderQuery> = {}): OrderQuery => ({
  ...readSelection(new URLSearchParams({ q: search })),
  ...{ start: null, size: 25 },
  ...change,
});
const page = (search: string, change: Partial<OrderQuery> = {}, of = shop) =>
  db.tenancy.inShop(of, (tenant) => tenant.overview.orderPage(query(search, change)));
const found = async (search: string, change: Partial<OrderQuery> = {}) =>
  (await page(search, change)).orders.map((one) => one.name);
const words = async (of = shop) =>
  (await db.pool.query("SELECT word, order_id FROM order_words WHERE shop = $1", [of])).rows;

describe("finds an order", () => {
  beforeEach(async () => {
    await order(1, { buyer: somebody("Zoë", "O’Brien-Katz", "Zoe@Example.com") });
    await order(2, { buyer: somebody("Jane", "Katz"), title: "Vitamin B12" });
    await order(3, { buyer: somebody("Jane", "Smith"), tags: ["VIP customer"] });
  });

  test.each([
    ["by a word of the name, newest first", "katz", ["#2", "#1"]],
    ["without accents, and in capitals", "ZOE", ["#1"]],
    ["without its apostrophe", "obrien", ["#1"]],
    ["by the whole name, whichever way round", "Katz, Jane", ["#2"]],
    ["by the whole e-mail address", "zoe@example.COM", ["#1"]],
    ["by its product", "b12", ["#2"]],
    ["by name and product together", "jane iron", ["#3"]],
    ["by its tag", "vip", ["#3"]],
    ["by its number still", "3", ["#3"]],
  ])("%s", async (_, search, names) => {
    expect(await found(search)).toEqual(names);
  });

  test("by a name in other letters than Latin, together or apart, whichever way round", async () => {
    await order(4, { buyer: somebody("明", "李") });
    await order(5, { buyer: somebody("小明", "王") });
    await order(6, { buyer: somebody("Ольга", "Иванова") });
    for (const typed of ["李", "李明", "明 李", "李 明"])
      expect(await found(typed)).toEqual(["#4"]);
    for (const typed of ["王小明", "小明 王", "王"]) expect(await found(typed)).toEqual(["#5"]);
    expect(await found("иванова")).toEqual(["#6"]);
  });

  test("by a name without the strokes of its letters, which few keyboards have", async () => {
    await order(7, { buyer: somebody("Thu", "Đặng") });
    await order(8, { buyer: somebody("Søren", "Weiß") });
    for (const typed of ["dang", "Thu Dang", "đặng", "Đặng Thu"])
      expect(await found(typed)).toEqual(["#7"]);
    for (const typed of ["soren weiss", "Søren", "weiß"])
      expect(await found(typed)).toEqual(["#8"]);
  });

  test.each([
    ["part of a word", "kat"],
    ["half an address", "zoe@"],
    ["two people", "zoe smith"],
  ])("not by %s", async (_, search) => {
    expect(await found(search)).toEqual([]);
  });

  test("and tells who bought it and what", async () => {
    const { orders } = await page("b12");
    expect(orders).toMatchObject([
      { customer: { name: "Jane Katz", email: null }, products: ["Vitamin B12"], isErased: false },
    ]);
  });

  test("by the name that it has now, and no more by the former one", async () => {
    await order(3, { buyer: somebody("Janet", "Jones"), updatedAt: new Date(START.getTime() + 1) });
    expect(await found("smith")).toEqual([]);
    expect(await found("jones")).toEqual(["#3"]);
  });

  test("in its own shop alone, where the same word is another hash", async () => {
    const other = await installedShop(db);
    await order(9, { buyer: somebody("Jane", "Katz") }, other);
    expect((await page("katz", {}, other)).orders.map(({ name }) => name)).toEqual(["#9"]);
    expect(await found("katz")).toEqual(["#2", "#1"]);
    const own = new Set((await words()).map(({ word }) => word.toString("hex")));
    for (const { word } of await words(other)) expect(own).not.toContain(word.toString("hex"));
  });
});

test("pages through what was found, both ways, oldest first too", async () => {
  for (const number of [1, 2, 3]) await order(number);
  const first = await page("studies", { size: 2 });
  expect(first.orders.map(({ name }) => name)).toEqual(["#3", "#2"]);
  const second = await page("studies", { size: 2, start: { after: first.next ?? "" } });
  expect(second.orders.map(({ name }) => name)).toEqual(["#1"]);
  expect(await found("studies", { size: 2, start: { before: second.previous ?? "" } })).toEqual([
    "#3",
    "#2",
  ]);
  expect(await found("iron studies", { sort: "oldest" })).toEqual(["#1", "#2", "#3"]);
});

test("an erased customer is found by nothing, and the list says so", async () => {
  await order(1, { buyer: somebody("Jane", "Katz", "jane@example.com") });
  await db.tenancy.inShop(shop, (tenant) => tenant.redaction.orders([gid("Order", 1)], START));
  expect(await words()).toEqual([]);
  for (const search of ["katz", "jane katz", "jane@example.com", "iron"])
    expect(await found(search)).toEqual([]);
  expect((await page("1")).orders).toMatchObject([{ customer: null, isErased: true }]);
});

test("a buyer whose key is destroyed before the row says so is shown as erased, beside the others", async () => {
  await order(1, { buyer: somebody("Jane", "Katz", "jane@example.com") });
  await order(2, { buyer: somebody("Zoe", "Katz") });
  // So is a database that was restored, until its erasures are done again.
  const { rowCount } = await db.pool.query(
    "DELETE FROM data_keys WHERE shop = $1 AND subject LIKE 'order %/1'",
    [shop],
  );
  expect(rowCount).toBe(1);
  db.sealers.forget(shop);
  const both = [
    { name: "#2", customer: { name: "Zoe Katz" }, isErased: false },
    { name: "#1", customer: null, isErased: true },
  ];
  expect((await page("katz")).orders).toMatchObject(both);
  const ids = [gid("Order", 2), gid("Order", 1)];
  const exported = await db.tenancy.inShop(shop, (tenant) => tenant.overview.exportRows(ids));
  expect(exported.map(({ orderName: name, ...rest }) => ({ name, ...rest }))).toMatchObject(both);
  expect(
    await db.tenancy.inShop(shop, (tenant) => tenant.orders.buyerOf(gid("Order", 1))),
  ).toBeNull();
});

test("makes orders of an earlier version findable, step by step, and none that was erased", async () => {
  for (const number of [1, 2]) await order(number, { buyer: somebody("Jane", `Katz${number}`) });
  await db.tenancy.inShop(shop, (tenant) => tenant.redaction.orders([gid("Order", 2)], START));
  await db.pool.query("DELETE FROM order_words WHERE shop = $1", [shop]);
  await db.pool.query("UPDATE orders SET indexed = false WHERE shop = $1", [shop]);
  expect(await found("jane")).toEqual([]);
  await indexOrders({ tenancy: db.tenancy }, { shop });
  await indexOrders({ tenancy: db.tenancy }, { shop });
  expect(await found("jane")).toEqual(["#1"]);
  expect(await db.tenancy.inShop(shop, (tenant) => tenant.orders.isAnyUnindexed())).toBe(false);
});

test("what a word finds is a walk along an index, however many orders have it", async () => {
  await db.pool.query(
    `INSERT INTO order_words (shop, order_id, word, paid_at)
     SELECT $1, 'gid://shopify/Order/' || i, word::bytea, now() - i * interval '1 minute'
     FROM generate_series(1, 20000) AS i, unnest(ARRAY['common', CASE WHEN i % 1000 = 0 THEN 'rare' ELSE 'odd' END]) AS word`,
    [shop],
  );
  await db.pool.query("ANALYZE order_words");
  const hex = (word: string) => Buffer.from(word).toString("hex");
  const after = `${BigInt(Date.now() - 10_000 * 60_000) * 1000n}-1`;
  for (const sought of [["common"], ["rare", "common"]])
    for (const start of [null, { after }, { before: after }]) {
      const { text, values } = ordersByWords(shop, sought.map(hex), query("common", { start }));
      const { rows } = await db.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      const plan = JSON.stringify(rows[0]["QUERY PLAN"]);
      expect(plan).not.toMatch(/Seq Scan|"Node Type": ?"Sort"/);
      // A page, the first row behind it, and one more that shows where the orders of that row's moment end.
      for (const [, read] of plan.matchAll(/"Actual Rows": ?(\d+)/g))
        expect(Number(read)).toBeLessThanOrEqual(27);
    }
});
