import { createHash, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { CUSTOMER, document, privacyRun } from "../../../test/database/privacy-run.ts";
import { PATIENT, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { gid, type OrderId } from "../kernel/ids.ts";
import { reconcileOrder } from "../orders/reconcile-order.ts";
import { createReferral } from "../referrals/create-referral.ts";

const db = await openTestDatabase();
const run = privacyRun(db);
const { ports, asked, perform, find, wholeStory, everythingOpened, standsIn } = run;
const ORDER = gid("Order", 1001);
let ledger: Ledger;

beforeEach(async () => {
  ledger = await run.start();
});

/** A message that asks for a redaction, as it stands in the inbox once it is noted. The same orders are the same words. */
async function redactMessage(orderIds: OrderId[], day: string): Promise<string> {
  const words = createHash("sha256").update(`${ledger.shop} ${orderIds}`).digest();
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO inbox (shop, source, topic, event_id, received_at, body_digest, state)
     VALUES ($1, 'shopify', 'customers/redact', $2, $3, $4, 'done') RETURNING id`,
    [ledger.shop, randomUUID(), day, words],
  );
  const inboxId = z.tuple([z.object({ id: z.string() })]).parse(rows)[0].id;
  const at = new Date(day);
  await db.tenancy.inShop(ledger.shop, (tenant) =>
    tenant.privacy.open({
      ...{ kind: "customer_redacted", inboxId, customerId: CUSTOMER, orderIds },
      ...{ askedAt: at, openedAt: at },
    }),
  );
  return inboxId;
}

/** A whole story of an order that came on that day. */
async function storyOf(canary: string, orderNumber: number, day: string): Promise<string> {
  const id = await wholeStory(canary, orderNumber);
  await db.pool.query("UPDATE referral_requests SET created_at = $2 WHERE id = $1", [id, day]);
  await db.pool.query("UPDATE orders SET first_read_at = $3 WHERE shop = $1 AND order_id = $2", [
    ...[ledger.shop, gid("Order", orderNumber), day],
  ]);
  return id;
}

const savePatient = (lastName: string, day: string) =>
  db.tenancy.inShop(ledger.shop, (tenant) =>
    tenant.savedPatients.add(
      CUSTOMER,
      { id: randomUUID(), patient: { ...PATIENT, lastName }, medicare: null },
      new Date(day),
    ),
  );

describe("redacting a customer", () => {
  test("destroys everything, and keeps ids, states and reference numbers", async () => {
    const id = await wholeStory("canary-1");
    await perform(await asked("customer_data_requested"));
    expect(await everythingOpened()).toContain("canary-1");
    const before = (await find(id)).request;
    await db.tenancy.inShop(ledger.shop, (tenant) =>
      tenant.customers.merge(gid("Customer", 6), CUSTOMER, ledger.clock.now()),
    );
    const inboxId = await asked("customer_redacted", { orderIds: [ORDER] });
    const outcome = await perform(inboxId);
    expect(outcome).toMatchObject({
      kind: "done",
      receipt: { requests: 1, referrals: 1, results: 1, documents: 1, orders: 1, dataExports: 1 },
    });
    const after = await find(id);
    expect(after.details).toBeNull();
    expect(after.request).toMatchObject({
      state: "created",
      referenceNumber: before?.referenceNumber,
      customerId: null,
    });
    expect(await everythingOpened()).not.toMatch(/canary-1|Citizen|sam@example/);
    expect(await standsIn("canary-1")).toEqual([]);
    const merges = await db.pool.query("SELECT FROM customer_merges WHERE shop = $1", [
      ledger.shop,
    ]);
    expect(merges.rowCount).toBe(0);
    expect(await perform(inboxId)).toEqual({ kind: "nothing_to_do" });
    const { rows } = await db.pool.query(
      "SELECT customer_id, order_ids FROM privacy_requests WHERE shop = $1",
      [ledger.shop],
    );
    for (const row of rows) expect(row).toEqual({ customer_id: null, order_ids: [] });
  });

  test("lets nothing come back: neither an order's message, nor a refetch, nor a document", async () => {
    const id = await wholeStory("canary-2");
    await perform(await asked("customer_redacted", { orderIds: [ORDER] }));
    const storeOrders = { read: async () => storeOrder() };
    const target = { shop: ledger.shop, orderId: ORDER };
    expect(await reconcileOrder({ ...ports(), storeOrders }, target)).toEqual({ kind: "redacted" });
    await db.tenancy.inShop(ledger.shop, async (tenant) => {
      const at = ledger.clock.now();
      const uuid = randomUUID();
      await tenant.referrals.save(
        "staging",
        id,
        referralSnapshot({ uuid, productName: "canary-2" }),
        at,
      );
      const snapshot = resultSnapshot({ referralUuid: uuid, productName: "canary-2" });
      const flags = { partial: false, inReview: false, otherPerson: false, releasedAt: at, at };
      const result = { environment: "staging" as const, requestId: id, snapshot, ...flags };
      expect(await tenant.results.save(result)).toBe("redacted");
      expect(
        await tenant.documents.store(document(id, uuid), Buffer.from("canary-2"), at),
      ).toBeNull();
    });
    expect(await everythingOpened()).not.toContain("canary-2");
  });

  test("cancels what was not sent yet, and waits for what is just being sent", async () => {
    const { shop } = ledger;
    const waiting = await readyRequest(db, shop, { orderNumber: 1 });
    const sending = await readyRequest(db, shop, { orderNumber: 2 });
    ledger.service.next("hang_after");
    const create = createReferral(ledger.ports, { shop, requestId: sending });
    await expect.poll(() => ledger.service.calls.length).toBe(1);
    const inboxId = await asked("customer_redacted");
    expect(await perform(inboxId)).toEqual({ kind: "waiting", sending: 1 });
    expect((await find(waiting)).request?.state).toBe("cancelled");
    expect((await find(sending)).details).not.toBeNull();
    expect((await create).kind).toBe("ambiguous");
    expect((await perform(inboxId)).kind).toBe("done");
    const left = await find(sending);
    expect(left.details).toBeNull();
    // Its look through the service's list is still to come, and is what tells what became of it.
    expect(left.request).toMatchObject({
      state: "ambiguous",
      cancellation: { requestedBy: "store", status: "requested" },
    });
    expect(await createReferral(ledger.ports, { shop, requestId: waiting })).toEqual({
      kind: "not_due",
    });
  });

  test("words that came before destroy nothing that is newer than they are", async () => {
    const old = await storyOf("canary-4", 1001, "2026-11-20");
    await perform(await redactMessage([ORDER], "2026-11-21"));
    const since = await storyOf("canary-5", 1002, "2026-11-22");
    await savePatient("canary-6", "2026-11-22");
    expect(await perform(await redactMessage([ORDER], "2026-11-23"))).toMatchObject({
      kind: "done",
      receipt: { requests: 0, orders: 0, savedPatients: 0 },
    });
    expect((await find(old)).details).toBeNull();
    expect((await find(since)).details).not.toBeNull();
    const left = await everythingOpened();
    for (const word of ["buyer canary-5", "canary-6"]) expect(left).toContain(word);
    // Shopify names the orders that it asks for: these words are new, and reach all of it.
    const named = await redactMessage([ORDER, gid("Order", 1002)], "2026-11-24");
    expect(await perform(named)).toMatchObject({ receipt: { requests: 1, savedPatients: 1 } });
    expect(await everythingOpened()).not.toMatch(/canary-[56]/);
  });

  test("words that name no order and came before wait for a person's word about what is newer", async () => {
    const old = await storyOf("canary-10", 1001, "2026-11-20");
    await perform(await redactMessage([], "2026-11-21"));
    expect((await find(old)).details).toBeNull();
    const since = await storyOf("canary-7", 1002, "2026-11-22");
    await savePatient("canary-9", "2026-11-22");
    const again = await redactMessage([], "2026-11-23");
    // As often as maintenance looks.
    for (const _ of [1, 2]) {
      expect(await perform(again)).toEqual({ kind: "held", newer: 3 });
      expect((await find(since)).details).not.toBeNull();
    }
    const [asked] = await db.tenancy.inShop(ledger.shop, (tenant) => tenant.privacy.latest(1));
    expect(asked).toMatchObject({ customerId: CUSTOMER, doneAt: null, receipt: { newer: 3 } });
    // The customer did ask again.
    await db.pool.query(
      `UPDATE privacy_requests SET receipt = '{"wanted": 1}'
       WHERE shop = $1 AND kind = 'customer_redacted' AND done_at IS NULL`,
      [ledger.shop],
    );
    expect(await perform(again)).toMatchObject({ receipt: { requests: 1, savedPatients: 1 } });
    expect(await everythingOpened()).not.toMatch(/canary-[79]/);
    // Nothing is newer: it is done.
    expect(await perform(await redactMessage([], "2026-11-24"))).toMatchObject({ kind: "done" });
  });

  test("the same words reach all that is there where the first were refused", async () => {
    await redactMessage([ORDER], "2026-11-24");
    await db.pool.query("UPDATE inbox SET state = 'refused' WHERE shop = $1", [ledger.shop]);
    await storyOf("canary-8", 1002, "2026-11-25");
    const first = await perform(await redactMessage([ORDER], "2026-11-26"));
    expect(first).toMatchObject({ receipt: { requests: 1 } });
  });

  test("leaves a unit that was handed to somebody else to them", async () => {
    const id = await wholeStory("canary-3");
    await db.pool.query("UPDATE referral_requests SET owner = 'patient' WHERE shop = $1", [
      ledger.shop,
    ]);
    await perform(await asked("customer_redacted", { orderIds: [ORDER] }));
    expect((await find(id)).details).not.toBeNull();
    expect(await everythingOpened()).not.toContain("buyer canary-3");
  });
});
