import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { installedShop } from "../../../test/database/seed.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { maintainShop } from "../lifecycle/maintain-shop.ts";
import { endTimeline, isFirstOfDay } from "./end-timeline.ts";
import { createTimelineEnder } from "./postgres/timeline-ender.ts";

const db = await openTestDatabase();
const timelineEnder = createTimelineEnder(db.pool);
/** The database's own clock counts too, and is not ours to set. */
const NOW = new Date();
const ports = { timelineEnder, clock: { now: () => NOW } };
const LONG_AGO = 9;
let shop: ShopDomain;
beforeEach(async () => {
  shop = await installedShop(db);
});

function yearsAgo(years: number, days = 0): Date {
  const at = new Date(NOW.getTime() - days * 86_400_000);
  at.setUTCFullYear(at.getUTCFullYear() - years);
  return at;
}

interface Seeded {
  paid?: Date;
  redacted?: Date | null;
  requests?: (Date | null)[];
  state?: string;
  lines?: Date[];
  of?: ShopDomain;
}

let orders = 900_000;
const newOrder = () => `gid://shopify/Order/${++orders}`;

/** An order with its requests, by when each was redacted, and its lines, by when each was written. */
async function putOrder({
  paid = yearsAgo(LONG_AGO + 1),
  redacted = yearsAgo(LONG_AGO),
  requests = [yearsAgo(LONG_AGO)],
  state = "created",
  lines = [yearsAgo(LONG_AGO), yearsAgo(LONG_AGO)],
  of = shop,
}: Seeded = {}): Promise<string> {
  const order = newOrder();
  await db.pool.query(
    `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at, redacted_at)
     VALUES ($1, $2, '#1', $3, $3, $3, $4)`,
    [of, order, paid, redacted],
  );
  for (const [index, at] of requests.entries())
    await db.pool.query(
      `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit, reference_number, title, state,
                                      redacted_at, updated_at)
       VALUES ($1, $2, 'staging', $3, 'gid://shopify/LineItem/1', $4, $5, 'Iron', $6, $7, $8)`,
      [of, randomUUID(), order, index + 1, randomUUID(), state, at, paid],
    );
  await putLines(order, lines, { of });
  return order;
}

const putLines = (order: string | null, lines: Date[], { of = shop, kind = "order_read" } = {}) =>
  db.pool.query(
    `INSERT INTO timeline (shop, order_id, at, actor, kind)
     SELECT $1, $2, at, 'pathway', $4 FROM unnest($3::timestamptz[]) at`,
    [of, order, lines, kind],
  );

const linesOf = async (order: string | null, of = shop) =>
  (
    await db.pool.query(
      "SELECT FROM timeline WHERE shop = $1 AND order_id IS NOT DISTINCT FROM $2",
      [of, order],
    )
  ).rowCount;

test("deletes lines older than seven years, of an order that was redacted as long ago with all its requests", async () => {
  const order = await putOrder({
    redacted: yearsAgo(7, 1),
    requests: [yearsAgo(7, 1), yearsAgo(8)],
    lines: [yearsAgo(9), yearsAgo(7, 1), yearsAgo(7, -1), yearsAgo(1)],
  });
  const unmapped = await putOrder({ requests: [] });
  expect(await endTimeline(ports, shop)).toBe(4);
  expect([await linesOf(order), await linesOf(unmapped)]).toEqual([2, 0]);
  expect(await endTimeline(ports, shop)).toBe(0);
});

test.each<[string, Seeded]>([
  ["whose buyer's data was redacted later", { redacted: yearsAgo(7, -1) }],
  ["whose buyer's data is still here", { redacted: null }],
  ["of which one request was redacted later", { requests: [yearsAgo(9), yearsAgo(7, -1)] }],
  ["of which one request has its data", { requests: [yearsAgo(9), null] }],
  ["of which an answer is still looked for", { state: "ambiguous" }],
  ["of which a request is being sent", { state: "sending" }],
])("keeps the lines of an order %s", async (_, seeded) => {
  const order = await putOrder(seeded);
  expect(await endTimeline(ports, shop)).toBe(0);
  expect(await linesOf(order)).toBe(2);
});

test("keeps lines of no order, such as those about an erasure, and another shop's", async () => {
  const other = await installedShop(db);
  const theirs = await putOrder({ of: other });
  await putLines(null, [yearsAgo(LONG_AGO)]);
  const unknown = newOrder();
  await putLines(unknown, [yearsAgo(LONG_AGO)]);
  await putOrder();
  expect(await endTimeline(ports, shop)).toBe(2);
  expect([await linesOf(null), await linesOf(unknown), await linesOf(theirs, other)]).toEqual([
    ...[1, 1, 2],
  ]);
});

test.each(["create_unknown", "create_interrupted"])(
  "keeps a line %s, which tells that something may have been ordered without an answer",
  async (kind) => {
    const order = await putOrder();
    await putLines(order, [yearsAgo(LONG_AGO)], { kind });
    expect(await endTimeline(ports, shop)).toBe(2);
    expect(await linesOf(order)).toBe(1);
  },
);

test("deletes a thousand lines at a time, and reaches orders behind thousands of which nothing ends", async () => {
  const paid = yearsAgo(20);
  await db.pool.query(
    `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at)
     SELECT $1, 'gid://shopify/Order/' || n, '#1', $2, $2, $2 FROM generate_series(1, 2500) n`,
    [shop, paid],
  );
  const order = await putOrder({ lines: Array(2_300).fill(yearsAgo(LONG_AGO)) });
  const steps: number[] = [];
  const counted = {
    end: async (...wish: Parameters<typeof timelineEnder.end>) => {
      const step = await timelineEnder.end(...wish);
      steps.push(step.ended);
      return step;
    },
  };
  expect(await endTimeline({ ...ports, timelineEnder: counted }, shop)).toBe(2_300);
  expect(steps).toEqual([0, 0, 1_000, 1_000, 300]);
  expect(await linesOf(order)).toBe(0);
});

test("deletes nothing because one of two clocks is ahead", async () => {
  const order = await putOrder({ redacted: yearsAgo(6), requests: [yearsAgo(6)] });
  const ahead = { now: () => new Date(NOW.getTime() + 20 * 365 * 86_400_000) };
  expect(await endTimeline({ ...ports, clock: ahead }, shop)).toBe(0);
  const old = await putOrder();
  const behind = { now: () => yearsAgo(5) };
  expect(await endTimeline({ ...ports, clock: behind }, shop)).toBe(0);
  expect([await linesOf(order), await linesOf(old)]).toEqual([2, 2]);
});

test("the regular work of a shop does it at its first visit of the day", async () => {
  const { shop, ports } = await startLedger(db);
  const order = await putOrder({ of: shop });
  const visit = (hour: string) =>
    maintainShop(
      {
        ...ports,
        clock: { now: () => new Date(`${NOW.toISOString().slice(0, 11)}${hour}:30:00Z`) },
        maintenanceIntervalMs: 3_600_000,
      },
      { shop },
    );
  await visit("10");
  expect(await linesOf(order, shop)).toBe(2);
  await visit("00");
  expect(await linesOf(order, shop)).toBe(0);
});

test("looks once a day, however often a shop is looked after", () => {
  const hour = 3_600_000;
  const visits = Array.from({ length: 48 }, (_, n) => new Date(1_900_000 + n * hour));
  expect(visits.filter((at) => isFirstOfDay(at, hour))).toHaveLength(2);
  expect(isFirstOfDay(new Date(20 * hour), 24 * hour)).toBe(true);
});
