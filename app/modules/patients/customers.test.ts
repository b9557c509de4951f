import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { mappedShop, storeOrder } from "../../../test/database/seed.ts";
import { type CustomerId, gid } from "../kernel/ids.ts";
import type { StoreOrder } from "../orders/order.ts";
import { reconcileOrder } from "../orders/reconcile-order.ts";
import { redact } from "../privacy/privacy/redact.ts";
import { markHandled } from "../reports/mark-handled.ts";

const db = await openTestDatabase();
const [ANNA, BEA, CLEO] = [gid("Customer", 7), gid("Customer", 8), gid("Customer", 9)];

/** A shop in which Anna has bought something, with one document. */
async function start() {
  const shop = await mappedShop(db);
  const clock = movableClock();
  const read = (customerId: CustomerId | null = ANNA, fields: Partial<StoreOrder> = {}) => {
    clock.advance(1000);
    const hidden = { firstName: null, lastName: null, email: null, phone: null, address: null };
    const { buyer } = storeOrder();
    const told = fields.isBuyerHidden ? { buyer: { ...buyer, ...hidden } } : {};
    const storeOrders = { read: async () => storeOrder({ customerId, ...told, ...fields }) };
    const ports = { tenancy: db.tenancy, storeOrders, clock };
    return reconcileOrder(ports, { shop, orderId: gid("Order", 1001) });
  };
  const merge = (from: CustomerId, into: CustomerId) =>
    db.tenancy.inShop(shop, (tenant) => tenant.customers.merge(from, into, START));
  const store = async () =>
    db.tenancy.inShop(shop, async (tenant) => {
      const [request] = await tenant.requests.forOrder(gid("Order", 1001));
      if (!request) throw new Error("no request");
      const owner = await tenant.requests.findForUpdate(request.id);
      const document = {
        id: randomUUID(),
        requestId: request.id,
        customerId: owner?.customerId ?? null,
        kind: "referral" as const,
        sourceUuid: randomUUID(),
        partial: false,
        sha256: "x",
        bytes: 1,
      };
      await tenant.documents.store(document, Buffer.from("x"), START);
    });
  /** To whom orders, requests and documents belong. */
  const owners = async () => {
    const { rows } = await db.pool.query<{ owner: string | null }>(
      `SELECT customer_id AS owner FROM orders WHERE shop = $1
       UNION SELECT customer_id FROM referral_requests WHERE shop = $1
       UNION SELECT customer_id FROM documents WHERE shop = $1`,
      [shop],
    );
    return rows.map(({ owner }) => owner);
  };
  return { shop, read, merge, store, owners };
}

test("everything moves to the surviving customer, once or twice told", async () => {
  const { read, merge, store, owners } = await start();
  await read();
  await store();
  await merge(ANNA, BEA);
  await merge(ANNA, BEA);
  expect(await owners()).toEqual([BEA]);
});

test("a merge that is told before the order arrives counts for it", async () => {
  const { read, merge, store, owners } = await start();
  await merge(ANNA, BEA);
  await read(ANNA);
  await store();
  expect(await owners()).toEqual([BEA]);
});

test("merges that are told in the wrong order end with the last customer", async () => {
  const { read, merge, store, owners } = await start();
  await read();
  await store();
  await merge(BEA, CLEO);
  await merge(ANNA, BEA);
  expect(await owners()).toEqual([CLEO]);
});

test("another customer and another shop keep what is theirs", async () => {
  const one = await start();
  const other = await start();
  await one.read();
  await other.read();
  await one.merge(BEA, CLEO);
  await other.merge(ANNA, BEA);
  expect(await one.owners()).toEqual([ANNA]);
  expect(await other.owners()).toEqual([BEA]);
});

test("an order that staff give to another customer takes its units and documents with it", async () => {
  const { read, store, owners } = await start();
  await read(ANNA);
  await store();
  await read(BEA);
  expect(await owners()).toEqual([BEA]);
  await read(null);
  expect(await owners()).toEqual([null]);
  await read(CLEO);
  await read(CLEO);
  expect(await owners()).toEqual([CLEO]);
});

test("a unit whose data was erased is nobody's, however often its order is read", async () => {
  const { read, shop } = await start();
  await read(ANNA);
  const orderId = gid("Order", 1001);
  const erased = await db.tenancy.inShop(shop, async (tenant) => {
    const [request] = await tenant.requests.forOrder(orderId);
    await redact(tenant, { requestIds: [request?.id ?? ""], orderIds: [] }, START);
    return request?.id;
  });
  await read(ANNA);
  const { customerId, kinds } = await db.tenancy.inShop(shop, async (tenant) => ({
    customerId: (await tenant.requests.find(erased ?? ""))?.customerId,
    kinds: (await tenant.timeline.forOrder(orderId)).map(({ kind }) => kind),
  }));
  expect(customerId).toBeNull();
  expect(kinds).not.toContain("customer_changed");
});

test("asks staff to check the email of an order that went to another customer with the former one's", async () => {
  const { read, shop } = await start();
  const reason = async () => {
    const { rows } = await db.pool.query<{ reason: string | null }>(
      "SELECT reason_code AS reason FROM orders WHERE shop = $1",
      [shop],
    );
    return rows[0]?.reason;
  };
  const { buyer } = storeOrder();
  const at = (email: string | null) => ({ buyer: { ...buyer, email } });
  await read(null);
  await read(ANNA);
  expect(await reason()).toBeNull();
  await read(BEA);
  expect(await reason()).toBe("customer_changed");
  // Each message about the order has it read anew.
  await read(BEA);
  expect(await reason()).toBe("customer_changed");
  await read(BEA, at("bea@example.com"));
  expect(await reason()).toBeNull();
  await read(CLEO, at("cleo@example.com"));
  expect(await reason()).toBeNull();
  await read(ANNA, at("cleo@example.com"));
  const mark = { shop, orderId: gid("Order", 1001), reason: null, actor: "staff:7" } as const;
  expect(await markHandled({ tenancy: db.tenancy, clock: movableClock() }, mark)).toMatchObject({
    reasons: ["customer_changed"],
  });
  await read(ANNA, at("cleo@example.com"));
  expect(await reason()).toBeNull();
  // Another customer is another question.
  await read(BEA, at("cleo@example.com"));
  expect(await reason()).toBe("customer_changed");
});

test("keeps asking about the email of a cancelled order while a referral of it may bring results", async () => {
  const { read, shop } = await start();
  const orderId = gid("Order", 1001);
  const reason = async () => {
    const item = await db.tenancy.inShop(shop, (tenant) => tenant.orders.lastReading(orderId));
    return item?.reasons;
  };
  const cancelled = { cancelledAt: START };
  await read(ANNA);
  await db.tenancy.inShop(shop, async (tenant) => {
    const [request] = await tenant.requests.forOrder(orderId);
    await putRequest(tenant, request?.id ?? "", { state: "created" });
  });
  await read(BEA);
  await read(BEA, cancelled);
  expect(await reason()).toEqual(["customer_changed"]);
  // The code for its results would go to the former customer.
  await read(CLEO, cancelled);
  await read(CLEO, cancelled);
  expect(await reason()).toEqual(["customer_changed"]);
  await read(CLEO, { ...cancelled, buyer: { ...storeOrder().buyer, email: "cleo@example.com" } });
  expect(await reason()).toEqual([]);
});

test("asks nobody about the email of an order that was cancelled before anything was sent", async () => {
  const { read, shop } = await start();
  await read(ANNA);
  await read(BEA);
  await read(BEA, { cancelledAt: START });
  const orderId = gid("Order", 1001);
  const last = await db.tenancy.inShop(shop, (tenant) => tenant.orders.lastReading(orderId));
  expect(last?.reasons).toEqual([]);
});

test("an order whose merge was never told is its surviving customer's once it is read", async () => {
  const { read, merge, store, owners } = await start();
  await read(ANNA);
  await store();
  await read(BEA);
  await merge(ANNA, BEA);
  expect(await owners()).toEqual([BEA]);
});

test("a customer whom Shopify keeps back stays who was known", async () => {
  const { read, shop, store, owners } = await start();
  await read(ANNA);
  await store();
  await read(null, { isBuyerHidden: true });
  expect(await owners()).toEqual([ANNA]);
  const buyer = await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.buyerOf(gid("Order", 1001)),
  );
  expect(buyer).toEqual(storeOrder().buyer);
});

test("a unit that its patient holds stays the patient's when the order is given to another customer", async () => {
  const { read, shop, owners } = await start();
  await read(ANNA);
  const held = () =>
    db.tenancy.inShop(shop, async (tenant) => {
      const [request] = await tenant.requests.forOrder(gid("Order", 1001));
      if (!request) throw new Error("no request");
      return request;
    });
  const { id } = await held();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.requests.recordInvitation(id, "pat@example.com", START),
  );
  await read(BEA);
  expect(await held()).toMatchObject({ owner: "patient", customerId: BEA });
  expect(await owners()).toEqual([BEA]);
});

test("a ring, which cannot be, hangs nothing up", async () => {
  const { read, merge, owners } = await start();
  await read();
  await merge(ANNA, BEA);
  await merge(BEA, ANNA);
  expect(await owners()).toHaveLength(1);
});
