import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import {
  COMPLETE,
  orderId,
  overviewRun,
  query,
} from "../../../../../test/database/overview-run.ts";
import { installedShop } from "../../../../../test/database/seed.ts";
import type { ShopDomain } from "../../../kernel/ids.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { selectedOrders } from "./order-selection.ts";

const db = await openTestDatabase();
const { start, inShop, order, page, namesOn } = overviewRun(db);
let shop: ShopDomain;

beforeEach(async () => {
  shop = await start();
});

describe("the index", () => {
  test("pages forwards and back over every order once, also over those paid at one moment", async () => {
    const names: string[] = [];
    for (let number = 10; number < 31; number++) {
      // Three share each moment.
      await order(number, [], { daysAgo: Math.floor(number / 3) });
      names.push(`#${number}`);
    }
    const seen: string[] = [];
    let at = await page({ size: 4 });
    expect(at.previous).toBeNull();
    for (;;) {
      seen.push(...at.orders.map((one) => one.name));
      if (!at.next) break;
      at = await page({ size: 4, start: { after: at.next } });
    }
    expect(seen.toSorted()).toEqual(names);
    const back: string[] = [...at.orders.map((one) => one.name).toReversed()];
    while (at.previous) {
      at = await page({ size: 4, start: { before: at.previous } });
      back.push(...at.orders.map((one) => one.name).toReversed());
      expect(at.next).not.toBeNull();
    }
    expect(back.toReversed()).toEqual(seen);
  });

  test("a page that ends with the last order offers no next one", async () => {
    await order(1, []);
    await order(2, []);
    expect(await page({ size: 2 })).toMatchObject({ previous: null, next: null });
  });

  test("orders paid within one millisecond are neither skipped nor repeated", async () => {
    for (const number of [1, 2, 3]) await order(number, []);
    await db.pool.query(
      `UPDATE orders SET paid_at = paid_at + right(order_id, 1)::int * interval '1 microsecond' WHERE shop = $1`,
      [shop],
    );
    const first = await page({ size: 1 });
    const second = await page({ size: 1, start: { after: first.next ?? "" } });
    const third = await page({ size: 1, start: { after: second.next ?? "" } });
    const all = [first, second, third].flatMap((one) => one.orders.map((row) => row.name));
    expect(all).toEqual(["#3", "#2", "#1"]);
  });

  test("a cursor that is not ours begins at the newest order", async () => {
    await order(1, []);
    const cursors = ["nonsense", "1-", "99999999999999999-1", "1-2\u0000"];
    for (const after of cursors) expect(await namesOn({ start: { after } })).toEqual(["#1"]);
  });

  test("filters by where any of an order's requests stands, and by the order's own trouble", async () => {
    await order(1, [{ state: "awaiting_details" }, { state: "created", referrals: COMPLETE }]);
    await order(2, [{ state: "sending" }]);
    await order(3, [
      { state: "rejected", reviewReason: { code: "rejected", detail: "INVALID_PAYLOAD" } },
    ]);
    await order(4, []);
    await inShop((tenant) => tenant.orders.setAttention(orderId(4), ["unmapped_line"]));
    expect(await namesOn({ filter: "awaiting_details" })).toEqual(["#1"]);
    expect(await namesOn({ filter: "results_ready" })).toEqual(["#1"]);
    expect(await namesOn({ filter: "in_progress" })).toEqual(["#2"]);
    expect(await namesOn({ filter: "attention" })).toEqual(["#4", "#3"]);
  });

  test("gives of several reasons the one that can't wait until tomorrow", async () => {
    await order(1, [
      { state: "created", reviewReason: { code: "deleted_at_service", detail: null } },
      { state: "created", reviewReason: { code: "urgent_result_shown", detail: null } },
    ]);
    await inShop((tenant) => tenant.orders.setAttention(orderId(1), ["unmapped_line"]));
    expect((await page({})).orders[0]?.attention?.code).toBe("urgent_result_shown");
  });

  test("each kind of order is a list of its own, also together with a status", async () => {
    await order(1, [{ state: "awaiting_details" }]);
    await order(2, [{ state: "awaiting_details" }], { test: true });
    await order(3, [{ state: "awaiting_details" }]);
    await inShop((tenant) => tenant.shops.updateSettings({ environment: "production" }));
    await order(4, [{ state: "held" }]);
    expect(await namesOn({ orderMode: "staging" })).toEqual(["#3", "#1"]);
    expect(await namesOn({ orderMode: "test" })).toEqual(["#2"]);
    expect(await namesOn({ orderMode: "production" })).toEqual(["#4"]);
    expect(await namesOn({ orderMode: "test", filter: "awaiting_details" })).toEqual(["#2"]);
    expect(await namesOn({ orderMode: "staging", filter: "awaiting_details" })).toEqual([
      "#3",
      "#1",
    ]);
  });

  test("days are those of the store's country", async () => {
    // Noon in Sydney.
    await order(1, [{ state: "held" }], { daysAgo: 2 });
    await order(2, [{ state: "held" }], { daysAgo: 1 });
    await order(3, [{ state: "held" }]);
    const day = { paidFrom: "2026-11-19", paidUntil: "2026-11-19" };
    expect(await namesOn(day)).toEqual(["#2"]);
    expect(await namesOn({ ...day, filter: "attention" })).toEqual(["#2"]);
    expect(await namesOn({ paidFrom: "2026-11-19" })).toEqual(["#3", "#2"]);
    expect(await namesOn({ paidUntil: "2026-11-18" })).toEqual(["#1"]);
  });

  test("a page far down a span of days, or far up it, is begun where it begins", async () => {
    const client = await db.pool.connect();
    onTestFinished(() => client.release(true));
    await client.query(
      `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at, order_mode)
       SELECT $1, 'gid://shopify/Order/' || n, '#' || n, $2::timestamptz - n * interval '1 minute', now(), now(), 'staging'
       FROM generate_series(1, 20000) n`,
      [shop, START],
    );
    await client.query("VACUUM ANALYZE orders");
    const days = { paidFrom: "2026-10-01", paidUntil: "2026-12-31" };
    const edge = (minutes: number) => `${START.getTime() - minutes * 60_000}000-${minutes}`;
    const blocksOf = async (start: OrderQuery["start"]) => {
      const { text, values } = selectedOrders(shop, query({ ...days, start }));
      const { rows } = await client.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      );
      const plan = rows[0]["QUERY PLAN"][0].Plan;
      return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    };
    const atTheTop = await blocksOf(null);
    expect(await blocksOf({ after: edge(15_000) })).toBeLessThan(atTheTop + 10);
    expect(await blocksOf({ before: edge(5_000) })).toBeLessThan(atTheTop + 10);
    const names = (start: OrderQuery["start"]) => namesOn({ ...days, start, size: 2 });
    expect(await names({ after: edge(15_000) })).toEqual(["#15001", "#15002"]);
    expect(await names({ before: edge(5_000) })).toEqual(["#4998", "#4999"]);
    // An address whose days were changed by hand begins within them.
    const day = { paidFrom: "2026-11-19", paidUntil: "2026-11-19" };
    const firstOf = await namesOn({ ...day, size: 2 });
    expect(await namesOn({ ...day, size: 2, start: { after: edge(1) } })).toEqual(firstOf);
    const lastOf = (await namesOn({ ...day, size: 2000 })).slice(-2);
    expect(await namesOn({ ...day, size: 2, start: { before: edge(19_000) } })).toEqual(lastOf);
  });

  test("a list of a status pages forwards and back, each order once however many tests it has", async () => {
    for (let number = 10; number < 17; number++)
      await order(number, [{ state: "ready" }, { state: "ready" }, { state: "held" }], {
        daysAgo: Math.floor(number / 3),
      });
    for (const filter of ["in_progress", "attention"] as const) {
      const seen: string[] = [];
      let at = await page({ filter, size: 3 });
      for (;;) {
        seen.push(...at.orders.map((one) => one.name));
        if (!at.next) break;
        at = await page({ filter, size: 3, start: { after: at.next } });
      }
      expect(seen).toHaveLength(7);
      expect(new Set(seen).size).toBe(7);
      at = await page({ filter, size: 3, start: { before: at.previous ?? "" } });
      expect(at.orders.map((one) => one.name)).toEqual(seen.slice(3, 6));
    }
  });

  test("finds orders by the beginning of their number, page by page; signs of SQL mean themselves", async () => {
    for (const number of [1001, 1002, 1003, 2001]) await order(number, []);
    expect(await namesOn({ search: "100" })).toEqual(["#1001", "#1002", "#1003"]);
    expect(await namesOn({ search: "#2001" })).toEqual(["#2001"]);
    // As an East Asian keyboard writes them.
    for (const search of ["２００１", "＃2001", "#２００１"])
      expect(await namesOn({ search })).toEqual(["#2001"]);
    const first = await page({ search: "100", size: 2 });
    const second = await page({ search: "100", size: 2, start: { after: first.next ?? "" } });
    expect(second.orders.map((one) => one.name)).toEqual(["#1003"]);
    const back = await page({ search: "100", size: 2, start: { before: second.previous ?? "" } });
    expect(back.orders.map((one) => one.name)).toEqual(["#1001", "#1002"]);
    for (const search of ["%", "_", "\\", "1%2"]) expect(await namesOn({ search })).toEqual([]);
  });

  test("lists the oldest payment first where that is asked for, through every page and filter", async () => {
    for (const number of [1, 2, 3]) await order(number, [{ state: "held" }], { daysAgo: number });
    for (const filter of ["all", "attention"] as const) {
      const sort = "oldest" as const;
      const first = await page({ sort, filter, size: 2 });
      expect(first.orders.map((one) => one.name)).toEqual(["#3", "#2"]);
      const second = await page({ sort, filter, size: 2, start: { after: first.next ?? "" } });
      expect(second.orders.map((one) => one.name)).toEqual(["#1"]);
      expect(second.next).toBeNull();
      const start = { before: second.previous ?? "" };
      expect((await page({ sort, filter, size: 2, start })).orders.map((one) => one.name)).toEqual([
        "#3",
        "#2",
      ]);
    }
  });

  test("finds an order by our reference number and by the service's reference", async () => {
    await order(1, [{ state: "created", referrals: COMPLETE }]);
    await order(2, [{ state: "held" }]);
    for (const search of ["r2-1", "ｒ２－１"]) expect(await namesOn({ search })).toEqual(["#2"]);
    expect(await namesOn({ search: "12345678" })).toEqual(["#1"]);
  });

  test("shows nothing of another shop", async () => {
    const other = await installedShop(db);
    await order(1, [{ state: "held" }], { of: other });
    expect(await namesOn()).toEqual([]);
    const { own, reviewReason } = await inShop(async (tenant) => ({
      own: await tenant.overview.order(orderId(1)),
      reviewReason: await tenant.overview.attentionOf([orderId(1)]),
    }));
    expect([own, reviewReason]).toEqual([null, []]);
  });
});
