/** Long because a payment that comes late meets each thing that may have happened to its order meanwhile. */
import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import {
  bought,
  installedShop,
  mappedShop,
  orderLine,
  storeOrder,
} from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { readWebhook } from "../../clients/shopify/read-webhook.ts";
import { createStoreOrders } from "../../clients/shopify/store-orders.ts";
import { createLogger } from "../../platform/logger.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { sealBody } from "../kernel/postgres/inbox.ts";
import { markHandled } from "../reports/mark-handled.ts";
import { handleWebhook } from "./handle-webhook.ts";
import { importOrder } from "./import-order.ts";
import { reconcileOrder } from "./reconcile-order.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);
let shop: ShopDomain;
let events = 0;

beforeEach(async () => {
  shop = await mappedShop(db);
});

const daysAgo = (days: number) => new Date(START.getTime() - days * 86_400_000).toISOString();
const PAID = {
  ...{ id: 1001, admin_graphql_api_id: ORDER, updated_at: START.toISOString() },
  ...{ name: "#1001", created_at: daysAgo(75), test: false },
};

interface Sent {
  topic?: string;
  digest?: Buffer;
  to?: ShopDomain;
}

/** Hands in one message as Shopify sends it, and works on it. */
async function deliver(
  one: Awaited<ReturnType<typeof orderInStore>>,
  body: object = PAID,
  { topic = "orders/paid", digest = randomBytes(32), to = shop }: Sent = {},
) {
  const eventId = `late-${++events}`;
  const sealer = await db.sealers.forShop(to);
  const envelope = { source: "shopify", topic, eventId };
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO inbox (shop, source, topic, event_id, triggered_at, body_sealed, body_digest)
     VALUES ($1, 'shopify', $2, $3, now(), $4, $5) RETURNING id`,
    [to, topic, eventId, sealBody(sealer, envelope, Buffer.from(JSON.stringify(body))), digest],
  );
  const inboxId = rows[0]?.id ?? "";
  const ports = { ...one.ports, readMessage: readWebhook, logger: createLogger("silent") };
  const outcome = await handleWebhook(ports, { shop: to, inboxId });
  const [left] = (
    await db.pool.query("SELECT state, body_sealed IS NULL AS emptied FROM inbox WHERE id = $1", [
      inboxId,
    ])
  ).rows;
  return { outcome, ...left };
}

const jobs = async () =>
  (
    await db.pool.query<{ payload: object }>(
      "SELECT payload FROM outbox WHERE shop = $1 AND name = 'reconcile-order' ORDER BY id",
      [shop],
    )
  ).rows.map(({ payload }) => payload);
const knownOrders = async (of = shop) =>
  (await db.pool.query("SELECT name, paid_at, test FROM orders WHERE shop = $1", [of])).rows;
const handle = (one: Awaited<ReturnType<typeof orderInStore>>) =>
  markHandled(one.ports, {
    ...{ shop, orderId: ORDER, actor: "staff:1" },
    reason: "paid_not_visible",
  });

test("tells a person of an order that is paid too late for the store to show it, once", async () => {
  const one = await orderInStore(db, shop);
  const done = { outcome: "noted", state: "done", emptied: true };
  expect(await deliver(one)).toEqual(done);
  expect(await one.reviewCode()).toBe("paid_not_visible");
  expect(await knownOrders()).toEqual([
    { name: "#1001", paid_at: new Date(daysAgo(75)), test: false },
  ]);
  expect(await one.story()).toEqual(["order_not_visible"]);
  // Told again, and of another change.
  expect(await deliver(one)).toEqual(done);
  await one.read(null);
  expect(await handle(one)).toMatchObject({ kind: "marked", items: 1 });
  await deliver(one);
  await one.read(null);
  expect(await handle(one)).toEqual({ kind: "nothing_open" });
  expect(await one.story()).toEqual(["order_not_visible", "attention_handled"]);
  expect(await one.requests()).toEqual([]);
});

test.each([
  ["a name with NUL", { name: "#1\u0000001" }],
  ["a name with half a character", { name: "#1\ud800" }],
  ["a time before the calendar", { created_at: "0000-01-01T00:00:00Z" }],
  ["a change after the calendar", { updated_at: "9999-12-31T23:59:59-12:00" }],
])("tells a person of a late payment with %s", async (_, changed) => {
  const one = await orderInStore(db, shop);
  expect(await deliver(one, { ...PAID, ...changed })).toMatchObject({ outcome: "noted" });
  expect(await one.reviewCode()).toBe("paid_not_visible");
});

test.each([
  ["processedAt", "0000-01-01T00:00:00Z"],
  ["createdAt", "-004714-01-01T00:00:00Z"],
  ["cancelledAt", "+010000-01-01T00:00:00Z"],
  ["updatedAt", "+275760-09-13T00:00:00Z"],
])("reads an order whose %s can't be stored", async (field, written) => {
  const one = await orderInStore(db, shop);
  const answered = {
    ...{ id: ORDER, name: "#1001", test: false, displayFinancialStatus: "PAID" },
    ...{ email: null, phone: null, statusPageUrl: null, customer: null, cancelledAt: null },
    ...{ processedAt: daysAgo(1), createdAt: daysAgo(1), updatedAt: daysAgo(1) },
    ...{
      [field]: written,
      lineItems: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
    },
  };
  const orders = createStoreOrders(async (_shop, _operation, _variables, reads) =>
    reads.parse({ order: answered }),
  );
  await one.read(await orders.read(shop, ORDER));
  expect(await knownOrders()).toHaveLength(1);
});

test("orders the tests once the store shows the order, and once only", async () => {
  const one = await orderInStore(db, shop);
  await deliver(one);
  expect(await one.read(bought(2))).toMatchObject({ opened: 2 });
  expect(await one.reviewCode()).toBeNull();
  expect(await one.read(bought(2))).toMatchObject({ opened: 0 });
  await deliver(one);
  expect(await one.requests()).toHaveLength(2);
  expect(await one.reviewCode()).toBeNull();
});

test("orders the tests of an order that the store shows, however late it was paid", async () => {
  const one = await orderInStore(db, shop);
  one.store.orders = [bought(1)];
  expect(await deliver(one)).toMatchObject({ outcome: "noted", state: "done" });
  expect(await one.requests()).toHaveLength(1);
  expect(await one.reviewCode()).toBeNull();
});

test("reads the orders that were not shown again when scopes change", async () => {
  const one = await orderInStore(db, shop);
  await deliver(one);
  await deliver(one, { current: ["read_all_orders"] }, { topic: "app/scopes_update" });
  expect(await jobs()).toEqual([{ shop, orderId: ORDER }]);
  expect(await handle(one)).toMatchObject({ kind: "marked" });
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
  await deliver(one, { current: ["read_all_orders"] }, { topic: "app/scopes_update" });
  expect(await jobs()).toEqual([]);
});

test("asks before it orders what a person dealt with while the store didn't show it", async () => {
  const one = await orderInStore(db, shop);
  await deliver(one);
  await handle(one);
  expect(await one.read(bought(1))).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBe("backdated");
  expect(await one.read(bought(1))).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBe("backdated");
  expect(await importOrder(one.ports, { shop, numberOrId: "1001" })).toMatchObject({
    kind: "known",
  });
  const wanted = { shop, orderId: ORDER, isWanted: true };
  expect(await reconcileOrder(one.ports, wanted)).toMatchObject({ opened: 1 });
  expect(await one.reviewCode()).toBeNull();
  await one.read(bought(1));
  expect(await one.requests()).toHaveLength(1);
});

test("asks too before a product of such an order that is mapped later is ordered", async () => {
  const one = await orderInStore(db, shop);
  const order = storeOrder({ lines: [orderLine({ variantId: gid("ProductVariant", 2) })] });
  await deliver(one);
  await handle(one);
  await one.read(order);
  expect(await one.reviewCode()).toBe("backdated");
});

test("tells of the rest of the money of an order that was paid in part", async () => {
  const one = await orderInStore(db, shop);
  await one.read(storeOrder({ paid: false, paidInPart: true }));
  expect(await one.reviewCode()).toBe("paid_in_part");
  await one.read(null);
  const by = { shop, orderId: ORDER, actor: "staff:1", reason: null } as const;
  await markHandled(one.ports, by);
  await markHandled(one.ports, by);
  await deliver(one);
  expect(await one.reviewCode()).toBe("paid_not_visible");
  await deliver(one);
  expect(await one.read(bought(1))).toMatchObject({ opened: 1 });
  expect(await one.reviewCode()).toBeNull();
});

test.each([
  ["its test has results", true],
  ["its test is still to come", false],
])(
  "tells of what was added to an order and paid since it was read, while %s",
  async (_, isDone) => {
    const one = await orderInStore(db, shop);
    await one.read(bought(1));
    const [id = ""] = (await one.requests()).map((request) => request.id);
    if (isDone)
      await db.tenancy.inShop(shop, async (tenant) => {
        await putRequest(tenant, id, { state: "created" });
        const snapshot = referralSnapshot({ uuid: id, status: "COMPLETE" });
        await tenant.referrals.save("staging", id, snapshot, one.clock.now());
      });
    one.store.orders = [];
    one.clock.advance(1000);
    const added = { ...PAID, updated_at: new Date(START.getTime() + 60_000).toISOString() };
    await deliver(one, added);
    expect(await one.reviewCode()).toBe("paid_not_visible");
    await deliver(one, added);
    expect(await one.story()).toEqual(["order_read", "order_not_visible"]);
    // The store shows it again: what was added is ordered, once.
    const grown = { ...bought(2), updatedAt: new Date(START.getTime() + 60_000) };
    expect(await one.read(grown)).toMatchObject({ opened: 1 });
    expect(await one.reviewCode()).toBeNull();
  },
);

test("says of an order that was ordered from what it says of any that is not shown", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  one.store.orders = [];
  await deliver(one);
  expect(await one.reviewCode()).toBe("order_not_visible");
});

test.each([
  ["of the store's tests", { ...PAID, test: true }],
  ["that was placed lately", { ...PAID, created_at: daysAgo(49) }],
  ["without its number, as an earlier subscription sends it", { id: 1001 }],
  ["with a time that is none", { ...PAID, created_at: "yesterday" }],
])("leaves an order %s to its reading", async (_, body) => {
  const one = await orderInStore(db, shop);
  expect(await deliver(one, body)).toMatchObject({ outcome: "queued", state: "done" });
  expect(await jobs()).toEqual([{ shop, orderId: ORDER }]);
  expect(one.store.calls).toEqual([]);
  await one.read(null);
  expect(await knownOrders()).toEqual([]);
});

test("tells no shop of a message that came from another one", async () => {
  const one = await orderInStore(db, shop);
  const digest = randomBytes(32);
  await deliver(one, PAID, { digest });
  const other = await installedShop(db);
  expect(await deliver(one, PAID, { digest, to: other })).toMatchObject({ state: "done" });
  expect(await knownOrders(other)).toEqual([]);
  expect(await one.reviewCode()).toBe("paid_not_visible");
});

test("keeps the message until the store has answered", async () => {
  const one = await orderInStore(db, shop);
  one.store.status = 500;
  await expect(deliver(one)).rejects.toThrow("store_unreachable");
  expect(await knownOrders()).toEqual([]);
});

test("tells of an order that was paid before the shop was opened in the admin", async () => {
  const early: ShopDomain = `early-${++events}.myshopify.com`;
  const one = await orderInStore(db, early);
  expect(await deliver(one, PAID, { to: early })).toMatchObject({ state: "parked" });
  await db.tenancy.inShop(early, async (tenant) => {
    await tenant.shops.install("", START);
    await tenant.inbox.unpark();
  });
  const { rows } = await db.pool.query("SELECT id FROM inbox WHERE shop = $1", [early]);
  const ports = { ...one.ports, readMessage: readWebhook, logger: createLogger("silent") };
  await handleWebhook(ports, { shop: early, inboxId: rows[0].id });
  expect(await one.reviewCode()).toBe("paid_not_visible");
});

test("does nothing about a late order whose buyer's data was destroyed", async () => {
  const one = await orderInStore(db, shop);
  await deliver(one);
  await db.tenancy.inShop(shop, (tenant) => tenant.redaction.orders([ORDER], one.clock.now()));
  await deliver(one);
  expect(await one.reviewCode()).toBeNull();
});

test("tells of a payment that was kept back, whatever else is kept back of its order", async () => {
  const one = await orderInStore(db, shop);
  const { name, test } = PAID;
  const times = { placedAt: new Date(PAID.created_at), changedAt: START };
  await db.tenancy.inShop(shop, async ({ inbox }) => {
    await inbox.parkOrder(ORDER, { name, test, ...times });
    await inbox.parkOrder(ORDER);
    await inbox.unpark();
  });
  const { rows } = await db.pool.query("SELECT id FROM inbox WHERE shop = $1 ORDER BY id", [shop]);
  const ports = { ...one.ports, readMessage: readWebhook, logger: createLogger("silent") };
  const outcomes: string[] = [];
  for (const { id } of rows) outcomes.push(await handleWebhook(ports, { shop, inboxId: id }));
  expect(outcomes).toEqual(["noted", "queued"]);
  expect(await one.reviewCode()).toBe("paid_not_visible");
});
