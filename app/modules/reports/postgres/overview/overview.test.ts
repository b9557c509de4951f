/** Long because every list and count of the admin is held against the same small shop. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { installedShop, orderLine, storeOrder } from "../../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../../kernel/ids.ts";
import { restand } from "../../../referrals/apply.ts";
import { REQUEST_STATES, type RequestState } from "../../../referrals/request.ts";
import type { ReviewReason } from "../../../referrals/review-reason.ts";
import { reasonOf, stageOf } from "../../../referrals/standing.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { readAttention } from "../../read-orders.ts";
import type { Tenant } from "../../tenant.ts";
import { selectedOrders } from "./order-selection.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);

beforeEach(async () => {
  shop = await installedShop(db);
});

interface Kind {
  state: RequestState;
  reviewReason?: ReviewReason;
  referrals?: { status: string; deleted?: boolean; replaced?: boolean }[];
  result?: { released: boolean; inReview: boolean };
  /** Ordered again. */
  replaced?: boolean;
}

const OTHER = randomUUID();
const FAILED: ReviewReason = { code: "referral", detail: "FAILED_TEST" };

const DAY_MS = 86_400_000;
const orderId = (number: number) => gid("Order", number);

/** An order with one request of each kind, paid so many days before START. */
async function order(number: number, kinds: Kind[], { daysAgo = 0, of = shop, test = false } = {}) {
  const processedAt = new Date(START.getTime() - daysAgo * DAY_MS);
  await db.tenancy.inShop(of, async (tenant) => {
    const lines = [orderLine({ quantity: Math.max(1, kinds.length) })];
    const id = orderId(number);
    const read = storeOrder({ id, name: `#${number}`, processedAt, lines, test });
    await tenant.orders.record(read, new Map([[gid("LineItem", 1), "mapped"]]), START);
  });
  const ids: string[] = [];
  for (const [index, kind] of kinds.entries()) ids.push(await request(number, index + 1, kind, of));
  return ids;
}

async function request(number: number, unit: number, kind: Kind, of: ShopDomain): Promise<string> {
  const id = randomUUID();
  await db.pool.query(
    `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit,
       reference_number, title, state, review_code, review_detail, replaced_by, updated_at)
     VALUES ($1, $2, 'staging', $3, $4, $5, $6, 'Iron studies', $7, $8, $9, $10, now())`,
    [
      of,
      id,
      orderId(number),
      gid("LineItem", 1),
      unit,
      `R${number}-${unit}`,
      kind.state,
      kind.reviewReason?.code,
      kind.reviewReason?.detail,
      kind.replaced ? OTHER : null,
    ],
  );
  for (const { status, deleted, replaced } of kind.referrals ?? [])
    await db.pool.query(
      `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin,
         snapshot_sealed, service_created_at, service_updated_at, deleted_at, replaced_by, fetched_at)
       VALUES ($1, $2, 'staging', $3, $4, '12345678', 'API', '', now(), now(), $5, $6, now())`,
      [of, randomUUID(), id, status, deleted ? START : null, replaced ? OTHER : null],
    );
  if (kind.result)
    await db.pool.query(
      `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial,
         in_review, released_at, snapshot_sealed, service_updated_at, fetched_at)
       VALUES ($1, $2, 'staging', $3, $4, 'COMPLETE', false, $5, $6, '', now(), now())`,
      [
        of,
        randomUUID(),
        id,
        randomUUID(),
        kind.result.inReview,
        kind.result.released ? START : null,
      ],
    );
  await db.tenancy.inShop(of, async (tenant) => {
    await tenant.requests.followOrders([id]);
    await restand(tenant, id);
  });
  return id;
}

const query = (change: Partial<OrderQuery> = {}): OrderQuery => ({
  filter: "all",
  orderMode: null,
  paidFrom: null,
  paidUntil: null,
  sort: "newest",
  search: "",
  start: null,
  size: 25,
  ...change,
});
const page = (change: Partial<OrderQuery> = {}) =>
  inShop((tenant) => tenant.overview.orderPage(query(change)));
const namesOn = async (change: Partial<OrderQuery> = {}) =>
  (await page(change)).orders.map((one) => one.name);

const COMPLETE = [{ status: "COMPLETE" }];

describe("stages", () => {
  const kinds = REQUEST_STATES.flatMap((state): Kind[] =>
    [undefined, FAILED].flatMap((reviewReason) =>
      [
        [],
        COMPLETE,
        [...COMPLETE, { status: "ISSUED" }],
        [...COMPLETE, { status: "ISSUED", deleted: true }],
        [{ status: "COMPLETE", deleted: true }],
      ].flatMap((referrals) =>
        [
          undefined,
          { released: false, inReview: false },
          { released: false, inReview: true },
          { released: true, inReview: false },
        ].map((result) => ({ state, reviewReason, referrals, result })),
      ),
    ),
  );

  const reordered = REQUEST_STATES.flatMap((state): Kind[] =>
    [undefined, FAILED].flatMap((reviewReason) =>
      [
        [],
        COMPLETE,
        [{ status: "FAILED_TEST", replaced: true }],
        [...COMPLETE, { status: "FAILED_TEST", replaced: true }],
      ].map((referrals) => ({ state, reviewReason, referrals, replaced: true })),
    ),
  );

  test.each([
    ["every combination of facts", kinds],
    ["requests that were ordered again", reordered],
  ])(
    "SQL and the domain agree about %s",
    async (_, kinds) => {
      for (const [index, kind] of kinds.entries()) await order(index + 1, [kind]);
      const { orders } = await page({ size: kinds.length });
      for (const [index, one] of kinds.entries()) {
        const { state, reviewReason = null, referrals = [], result, replaced } = one;
        const facts = {
          request: {
            state,
            reviewReason,
            handledReason: null,
            replacedBy: replaced ? OTHER : null,
            mailRefusedAt: null,
          },
          referrals: referrals.map((one) => ({
            status: one.status,
            deletedAt: "deleted" in one ? START : null,
            replacedBy: "replaced" in one ? OTHER : null,
          })),
          results: result
            ? [
                {
                  releasedAt: result.released ? START : null,
                  inReview: result.inReview,
                  deletedAt: null,
                },
              ]
            : [],
        };
        const found = orders.find((one) => one.name === `#${index + 1}`);
        expect({ kind: kinds[index], ...found }).toMatchObject({
          stages: [{ stage: stageOf(facts), count: 1 }],
          attention: reasonOf(facts),
        });
      }
    },
    180_000,
  );

  test("are counted: orders of the whole shop, and requests by day in the reader's time zone", async () => {
    await order(1, [{ state: "awaiting_details" }, { state: "held" }, { state: "held" }]);
    // Noon in Sydney two days before, 11 hours ahead of UTC.
    await order(2, [{ state: "created", referrals: COMPLETE }], { daysAgo: 2 });
    await order(3, [{ state: "cancelled" }], { daysAgo: 20 });
    const { counts, days } = await inShop(async (tenant) => ({
      counts: await tenant.overview.stageCounts(1_000),
      days: await tenant.overview.requestsByDay(
        new Date(START.getTime() - 14 * DAY_MS),
        "Australia/Sydney",
      ),
    }));
    expect(counts).toEqual({
      attention: 1,
      awaiting_details: 1,
      in_progress: 0,
      results_ready: 1,
      cancelled: 1,
    });
    expect(
      days.toSorted((a, b) => `${a.day}${a.stage}`.localeCompare(`${b.day}${b.stage}`)),
    ).toEqual([
      { day: "2026-11-18", stage: "results_ready", count: 1 },
      { day: "2026-11-20", stage: "attention", count: 2 },
      { day: "2026-11-20", stage: "awaiting_details", count: 1 },
    ]);
  });
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
    await inShop((tenant) => tenant.orders.setAttention(orderId(4), "unmapped_line"));
    expect(await namesOn({ filter: "awaiting_details" })).toEqual(["#1"]);
    expect(await namesOn({ filter: "results_ready" })).toEqual(["#1"]);
    expect(await namesOn({ filter: "in_progress" })).toEqual(["#2"]);
    expect(await namesOn({ filter: "attention" })).toEqual(["#4", "#3"]);
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
    expect(await namesOn({ search: "r2-1" })).toEqual(["#2"]);
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

test("only a simulation that went well to its end counts as simulated", async () => {
  const hasSimulated = async () =>
    (await inShop((tenant) => tenant.overview.setup("staging"))).hasSimulated;
  const simulate = async (end: { failure: string | null } | null) => {
    const id = randomUUID();
    await inShop((tenant) =>
      tenant.simulations.begin({
        id,
        variantId: gid("ProductVariant", 1),
        title: "Iron studies",
        orderId: gid("Order", 1),
        startedAt: START,
        startedBy: "staff:1",
      }),
    );
    if (end)
      await inShop((tenant) =>
        tenant.simulations.finish(id, { at: START, heardEvents: true, ...end }),
      );
    return id;
  };
  // A referral of a real order is no simulation.
  await order(1, [{ state: "created", referrals: [{ status: "ISSUED" }] }]);
  expect(await hasSimulated()).toBe(false);
  await simulate({ failure: "timeout:results" });
  expect(await hasSimulated()).toBe(false);
  const running = await simulate(null);
  expect(await hasSimulated()).toBe(false);
  await inShop((tenant) =>
    tenant.simulations.finish(running, { at: START, failure: null, heardEvents: true }),
  );
  expect(await hasSimulated()).toBe(true);
});
