/** Long because it is the list of everything that can become of an order, each case a few lines. */

import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import {
  bought,
  mappedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import type { StoreOrder } from "./order.ts";
import { reconcileOrder } from "./reconcile-order.ts";

const db = await openTestDatabase();
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** A store that tells of one order what it was last told. */
function store(order: StoreOrder | null) {
  const clock = movableClock();
  const kept = { order };
  const storeOrders = { read: async () => structuredClone(kept.order) };
  const ports = { tenancy: db.tenancy, storeOrders, clock };
  return {
    ports,
    clock,
    orderId: order?.id ?? gid("Order", 1001),
    read(next?: StoreOrder) {
      if (next) kept.order = next;
      clock.advance(1000);
      return reconcileOrder(ports, { shop, orderId: this.orderId });
    },
  };
}

const requests = (orderId = gid("Order", 1001)) =>
  db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(orderId));
const states = async () => (await requests()).map((r) => `${r.unit} ${r.state}`);
const create = (id: string) =>
  db.tenancy.inShop(shop, (t) => putRequest(t, id, { state: "created" }));
const reviewCode = async () =>
  (
    await db.pool.query<{ code: string | null }>(
      "SELECT review_code AS code FROM orders WHERE shop = $1",
      [shop],
    )
  ).rows[0]?.code;
const mailJobs = async () =>
  (await db.pool.query("SELECT FROM outbox WHERE shop = $1 AND name = 'send-mail'", [shop]))
    .rowCount;

test("dates go by the time zone that the store told last, and stay by it when it tells none", async () => {
  const zone = () =>
    db.tenancy.inShop(shop, async (tenant) => (await tenant.shops.find())?.timeZone);
  const told = store(storeOrder());
  await told.read();
  expect(await zone()).toBe("Australia/Sydney");
  await told.read({ ...storeOrder(), shopTimeZone: "Australia/Perth" });
  expect(await zone()).toBe("Australia/Perth");
  await told.read(storeOrder());
  expect(await zone()).toBe("Australia/Perth");
});

describe("a paid order", () => {
  test("opens one request for each unit, each with a reference of its own, and asks once for details", async () => {
    const outcome = await store(bought(3)).read();
    expect(outcome).toEqual({ kind: "reconciled", opened: 3, cancelled: 0, surplus: 0 });
    const opened = await requests();
    expect(opened.map((r) => [r.unit, r.generation, r.state])).toEqual([
      [1, 1, "awaiting_details"],
      [2, 1, "awaiting_details"],
      [3, 1, "awaiting_details"],
    ]);
    expect(new Set(opened.map((r) => r.referenceNumber)).size).toBe(3);
    expect(opened[0]).toMatchObject({ environment: "staging", customerId: gid("Customer", 7) });
    expect(await mailJobs()).toBe(1);
  });

  test("has a line that it was read, which counts only what there is", async () => {
    const one = store(bought(3));
    await one.read();
    await one.read(bought(2));
    const entries = await db.tenancy.inShop(shop, (t) => t.timeline.forOrder(one.orderId));
    const read = entries.filter(({ kind }) => kind === "order_read");
    expect(read.map(({ detail }) => detail)).toEqual([
      { lines: 1, environment: "staging", opened: 3 },
      { lines: 1, environment: "staging", cancelled: 1 },
    ]);
  });

  test("read again, many times and at the same time, opens nothing more", async () => {
    const one = store(bought(2));
    await Promise.all(Array.from({ length: 8 }, () => one.read()));
    await one.read();
    expect(await states()).toEqual(["1 awaiting_details", "2 awaiting_details"]);
    expect(await mailJobs()).toBe(1);
  });

  test("with mapped, unmapped and ignored lines opens the mapped ones and says what is missing", async () => {
    const [unmapped, ignored] = [gid("ProductVariant", 2), gid("ProductVariant", 3)];
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.mappings.save({
        environment: "staging",
        variantId: ignored,
        productId: gid("Product", 3),
        kind: "ignored",
      }),
    );
    const lines = [
      orderLine({ number: 1 }),
      orderLine({ number: 2, variantId: unmapped }),
      orderLine({ number: 3, variantId: ignored, quantity: 4 }),
      orderLine({ number: 4, variantId: null, productId: null }),
    ];
    expect(await store(storeOrder({ lines })).read()).toMatchObject({ opened: 1 });
    expect((await requests()).map((r) => r.lineItemId)).toEqual([gid("LineItem", 1)]);
    expect(await reviewCode()).toBe("unmapped_line");
  });

  test("is completed when its variant is mapped afterwards", async () => {
    const lines = [orderLine({ variantId: gid("ProductVariant", 2), quantity: 2 })];
    const one = store(storeOrder({ lines }));
    expect(await one.read()).toMatchObject({ opened: 0 });
    await mapVariant(db, shop, gid("ProductVariant", 2));
    expect(await one.read()).toMatchObject({ opened: 2 });
    expect(await reviewCode()).toBeNull();
  });

  test("that is a test never reaches production", async () => {
    await db.tenancy.inShop(shop, (t) => t.shops.updateSettings({ environment: "production" }));
    expect(await store(storeOrder({ test: true })).read()).toMatchObject({ opened: 1 });
    expect((await requests())[0]?.environment).toBe("staging");
    await db.pool.query("DELETE FROM referral_requests WHERE shop = $1", [shop]);
    // Production has no mapping for it.
    expect(await store(storeOrder()).read()).toMatchObject({ opened: 0 });
  });

  test("from a guest without an email address is brought to somebody's attention", async () => {
    const guest = storeOrder({ customerId: null });
    await store({ ...guest, buyer: { ...guest.buyer, email: null } }).read();
    expect(await reviewCode()).toBe("no_contact");
    expect(await mailJobs()).toBe(0);
  });

  test("keeps what is known of its buyer sealed", async () => {
    await store(bought(1)).read();
    const { rows } = await db.pool.query(
      "SELECT orders::text AS text FROM orders WHERE shop = $1",
      [shop],
    );
    expect(rows[0].text).not.toMatch(/sam@example|Buyer|53616d/i);
    const buyer = await db.tenancy.inShop(shop, (t) => t.orders.buyerOf(gid("Order", 1001)));
    expect(buyer?.email).toBe("sam@example.com");
  });
});

describe("an order that is not to be acted on", () => {
  test("unpaid", async () => {
    expect(await store(storeOrder({ paid: false })).read()).toEqual({ kind: "not_paid" });
    expect(await requests()).toEqual([]);
  });

  test("unknown to the store", async () => {
    expect(await store(null).read()).toEqual({ kind: "not_found" });
  });

  test("of a shop that has uninstalled: kept, once, until it comes back", async () => {
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(new Date()));
    const one = store(bought(1));
    expect(await one.read()).toEqual({ kind: "not_installed" });
    expect(await one.read()).toEqual({ kind: "not_installed" });
    const parked = () => db.tenancy.inShop(shop, (tenant) => tenant.inbox.unpark());
    expect(await parked()).toBe(1);
    expect(await parked()).toBe(0);
  });
});

describe("an order that was paid and then grew, so that it is paid in part", () => {
  test("opens nothing for what is owed, and cancels what is taken back", async () => {
    const one = store(bought(2));
    await one.read();
    const grown = { ...bought(3, 3), paid: false };
    expect(await one.read(grown)).toMatchObject({ opened: 0, cancelled: 0 });
    expect(await one.read({ ...bought(3, 1), paid: false })).toMatchObject({ cancelled: 1 });
    expect(await one.read(bought(3, 2))).toMatchObject({ opened: 1 });
  });
});

describe("a change", () => {
  test("down and up again cancels units and opens new ones, with numbers of their own", async () => {
    const one = store(bought(3));
    await one.read();
    expect(await one.read(bought(3, 1))).toMatchObject({ cancelled: 2 });
    expect(await one.read(bought(3, 2))).toMatchObject({ opened: 1 });
    expect(await states()).toEqual([
      ...["1 awaiting_details", "2 cancelled", "3 cancelled", "4 awaiting_details"],
    ]);
  });

  test.each([
    [
      "automatic",
      { reviewReason: null, cancellation: { requestedBy: "store", status: "confirmed" } },
    ],
    [
      "ask",
      {
        reviewReason: { code: "refunded_after_sending", detail: null },
        cancellation: { requestedBy: "store", status: "requested" },
      },
    ],
  ] as const)(
    "by cancelling the order cancels what is unsent; the rest by the policy %s",
    async (refundPolicy, outcome) => {
      await db.tenancy.inShop(shop, (t) => t.shops.updateSettings({ refundPolicy }));
      const one = store(bought(2));
      await one.read();
      const sent = (await requests())[1]?.id ?? "";
      await create(sent);
      const cancelled = storeOrder({ ...bought(2), cancelledAt: new Date() });
      expect(await one.read(cancelled)).toEqual({
        kind: "reconciled",
        opened: 0,
        cancelled: 1,
        surplus: 1,
      });
      expect(await states()).toEqual(["1 cancelled", "2 created"]);
      expect((await requests())[1]).toMatchObject(outcome);
      await one.read();
      expect((await requests())[1]).toMatchObject(outcome);
      expect(await states()).toEqual(["1 cancelled", "2 created"]);
    },
  );

  test("that was read earlier but comes later changes nothing", async () => {
    const one = store(bought(2));
    await one.read();
    const reading = slowReading();
    const late = reconcileOrder({ ...one.ports, ...reading.ports }, { shop, orderId: one.orderId });
    await reading.begun;
    await one.read(bought(2, 0));
    reading.resolve(bought(2));
    await late;
    expect(await states()).toEqual(["1 cancelled", "2 cancelled"]);
  });
});

/** A store that was asked for an order, and answers when the test says so. */
function slowReading() {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<StoreOrder>();
  const read = () => {
    asked.resolve();
    return answer.promise;
  };
  return { ports: { storeOrders: { read } }, begun: asked.promise, resolve: answer.resolve };
}

/** The order as the store has it so many seconds after the sale. */
const changed = (seconds: number, order: StoreOrder): StoreOrder => ({
  ...order,
  updatedAt: new Date(order.updatedAt.getTime() + seconds * 1000),
});

test("what the store changed later counts, though the database's clock was set back meanwhile", async () => {
  const one = store(bought(2));
  await one.read();
  await db.pool.query("UPDATE orders SET read_at = now() + interval '1 hour' WHERE shop = $1", [
    shop,
  ]);
  expect(await one.read(changed(1, bought(2, 0)))).toMatchObject({ cancelled: 2 });
  expect(await states()).toEqual(["1 cancelled", "2 cancelled"]);
});

test("what the store had changed since changes nothing, though it is read later", async () => {
  const one = store(bought(2));
  await one.read(changed(2, bought(2, 0)));
  expect(await one.read(changed(1, bought(2)))).toEqual({ kind: "superseded" });
  expect(await states()).toEqual([]);
});

test("of two first readings at the same time, the one that began later counts", async () => {
  const reading = slowReading();
  const slow = { ...store(bought(3)).ports, ...reading.ports };
  const early = reconcileOrder(slow, { shop, orderId: gid("Order", 1001) });
  await reading.begun;
  // The later one has written the order, and stands still before its lines.
  const holder = await whoHolds(db, "LOCK TABLE order_lines IN EXCLUSIVE MODE");
  const later = store(bought(3, 1)).read();
  await untilWaiting(db, 1);
  reading.resolve(bought(3));
  await untilWaiting(db, 2);
  await holder.end();
  expect(await later).toMatchObject({ opened: 1 });
  expect(await early).toEqual({ kind: "superseded" });
  expect(await states()).toEqual(["1 awaiting_details"]);
});

type Step =
  | { kind: "quantities"; left: number[] }
  | { kind: "cancel" }
  | { kind: "read"; times: number }
  | { kind: "send"; pick: number };

test("whatever happens to an order, active units are what is bought, and nothing is opened twice", async () => {
  const LINES = 2;
  const quantities = fc.array(fc.integer({ min: 0, max: 4 }), {
    minLength: LINES,
    maxLength: LINES,
  });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant("quantities" as const), left: quantities }),
    fc.record({ kind: fc.constant("read" as const), times: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant("send" as const), pick: fc.nat(9) }),
    { weight: 1, arbitrary: fc.constant<Step>({ kind: "cancel" }) },
  );
  await mapVariant(db, shop, gid("ProductVariant", 2));
  let orders = 5000;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const id = gid("Order", ++orders);
      let order = storeOrder({ id, lines: [0, 1].map((at) => line(id, at, 2)) });
      const one = store(order);
      const references = new Map<string, string>();
      for (const todo of steps) {
        if (todo.kind === "quantities")
          order = { ...order, lines: todo.left.map((left, at) => line(id, at, left)) };
        if (todo.kind === "cancel") order = { ...order, cancelledAt: new Date() };
        if (todo.kind === "read")
          await Promise.all(Array.from({ length: todo.times }, () => one.read(order)));
        if (todo.kind === "send") await sendOne(await requests(id), todo.pick);
      }
      await one.read(order);
      const all = await requests(id);
      for (const [at, { currentQuantity }] of order.lines.entries()) {
        const active = all.filter(
          (r) => r.lineItemId === line(id, at, 0).id && r.state !== "cancelled",
        );
        const wanted = order.cancelledAt ? 0 : currentQuantity;
        const sent = active.filter((r) => r.state === "created").length;
        // A referral at the service cannot be undone here; its unit is flagged instead.
        expect(active).toHaveLength(Math.max(wanted, sent));
      }
      for (const r of all) {
        expect(references.get(r.referenceNumber)).toBeUndefined();
        references.set(r.referenceNumber, r.id);
      }
    }),
    { numRuns: 40 },
  );

  function line(id: string, at: number, left: number) {
    const number = Number(id.slice(-4)) * 10 + at;
    const variantId = gid("ProductVariant", at + 1);
    return orderLine({ number, variantId, quantity: 4, currentQuantity: left });
  }
  async function sendOne(all: Awaited<ReturnType<typeof requests>>, pick: number): Promise<void> {
    const open = all.filter((r) => r.state === "awaiting_details");
    const chosen = open[pick % Math.max(1, open.length)];
    if (chosen)
      await db.tenancy.inShop(shop, (t) => putRequest(t, chosen.id, { state: "created" }));
  }
});
