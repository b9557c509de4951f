import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../../test/database/ledger.ts";
import { readyRequest, storeOrder } from "../../../../test/database/seed.ts";
import { type CustomerId, gid, type OrderId } from "../../kernel/ids.ts";
import { doPrivacyRequest } from "../do-privacy-request.ts";
import { createShopEraser } from "../postgres/shop-eraser.ts";

const db = await openTestDatabase();
const [ANNA, BEA] = [gid("Customer", 7), gid("Customer", 8)];
const orderId = (number: number) => gid("Order", number);
let ledger: Ledger;
let lastInboxId = 0;

beforeEach(async () => {
  ledger = await startLedger(db);
});

const inShop = <T>(work: Parameters<typeof db.tenancy.inShop<T>>[1]) =>
  db.tenancy.inShop(ledger.shop, work);

/** A unit that Anna bought and gave details for, in an order that the store has as this customer's by now. */
async function bought(number: number, { orderOf }: { orderOf: CustomerId }) {
  const requestId = await readyRequest(db, ledger.shop, { orderNumber: number });
  const order = storeOrder({ id: orderId(number), customerId: orderOf });
  await inShop((tenant) => tenant.orders.record(order, new Map(), new Date()));
  return requestId;
}
async function redact(customerId: CustomerId, orderIds: OrderId[]) {
  const inboxId = String(++lastInboxId);
  const at = ledger.clock.now();
  const kind = "customer_redacted" as const;
  const asked = { kind, inboxId, askedAt: at, openedAt: at, customerId, orderIds };
  await inShop((tenant) => tenant.privacy.open(asked));
  const storeAccess = {
    check: async () => "open" as const,
    hasCustomer: () => Promise.reject(new Error("not asked")),
  };
  const ports = { ...ledger.ports, shopEraser: createShopEraser(db.pool), storeAccess };
  return doPrivacyRequest(ports, { shop: ledger.shop, inboxId });
}
const find = (id: string) => inShop((tenant) => tenant.requests.find(id));

test("the orders that the store names are redacted whole, whoever had them when they were placed", async () => {
  // That Anna was merged into Bea was never told: one order was read since, one was not.
  const readSince = await bought(1, { orderOf: BEA });
  const notRead = await bought(2, { orderOf: ANNA });
  expect(await redact(BEA, [orderId(1), orderId(2)])).toMatchObject({
    kind: "done",
    receipt: { requests: 2, orders: 2 },
  });
  for (const id of [readSince, notRead])
    expect(await find(id)).toMatchObject({ hasPatient: false, customerId: null });
});

test("orders that the store does not name stay with whoever has them", async () => {
  const named = await bought(1, { orderOf: BEA });
  const other = await bought(2, { orderOf: ANNA });
  await redact(BEA, [orderId(1)]);
  expect((await find(named))?.hasPatient).toBe(false);
  expect(await find(other)).toMatchObject({ hasPatient: true, customerId: ANNA });
});

test("a unit of a named order that was handed to its patient stays the patient's", async () => {
  const handed = await bought(1, { orderOf: BEA });
  await db.pool.query("UPDATE referral_requests SET owner = 'patient' WHERE id = $1", [handed]);
  await redact(BEA, [orderId(1)]);
  expect((await find(handed))?.hasPatient).toBe(true);
});

/** A data export for Anna about order 1, which the store has as Bea's by now; whether it can still be read. */
async function exportOfAnna() {
  await bought(1, { orderOf: BEA });
  const at = ledger.clock.now();
  const inboxId = String(++lastInboxId);
  const asked = { openedAt: at, askedAt: at, customerId: ANNA, inboxId };
  await inShop(async (tenant) => {
    const kind = "customer_data_requested" as const;
    await tenant.privacy.open({ ...asked, kind, orderIds: [orderId(1)] });
    const packed = { customerId: ANNA, held: { details: "Citizen" } };
    await tenant.privacy.finish(inboxId, { at, receipt: {}, dataExport: packed });
  });
  return async () => {
    const { rows } = await db.pool.query<{ there: boolean }>(
      "SELECT export_sealed IS NOT NULL AS there FROM privacy_requests WHERE shop = $1 AND inbox_id = $2",
      [ledger.shop, inboxId],
    );
    return rows[0]?.there;
  };
}

test("a data export of a named order is destroyed, whoever it was made for", async () => {
  const isThere = await exportOfAnna();
  expect(await redact(BEA, [orderId(1)])).toMatchObject({ receipt: { dataExports: 1 } });
  expect(await isThere()).toBe(false);
});

test("one of an order that is erased without being named is destroyed and packed anew", async () => {
  const isThere = await exportOfAnna();
  expect(await redact(BEA, [orderId(2)])).toMatchObject({ receipt: { dataExports: 0 } });
  expect(await isThere()).toBe(false);
  expect((await inShop((tenant) => tenant.privacy.undone())).length).toBe(1);
});

test("packs nothing into an export that is in another's account", async () => {
  await bought(1, { orderOf: BEA });
  const subject = { customerId: BEA, orderIds: [orderId(1)] };
  const { held } = await inShop((tenant) => tenant.privacy.gather(subject, new Map()));
  expect(JSON.stringify(held)).not.toContain("Citizen");
});
