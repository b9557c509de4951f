import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { CUSTOMER, document, privacyRun } from "../../../test/database/privacy-run.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import type { Viewer } from "../access/viewer.ts";
import { gid } from "../kernel/ids.ts";
import { eraseForPatient, eraseOwnData } from "./erase-own-data.ts";
import { hideOwnResults } from "./hide-own-results.ts";
import { openDataExport } from "./open-data-export.ts";

const db = await openTestDatabase();
const run = privacyRun(db);
const { asked, perform, wholeStory, everythingOpened } = run;
const viewer: Viewer = { kind: "customer", customerId: CUSTOMER };
let ledger: Ledger;
beforeEach(async () => {
  ledger = await run.start();
});

/** What the shop downloads as the answer to a customer's question. */
async function download(inboxId: string): Promise<string> {
  const why = { reason: "patient_asked", caseNumber: null } as const;
  const target = { shop: ledger.shop, inboxId, actor: "staff:9" as const, ...why };
  return JSON.stringify(await openDataExport(ledger.ports, target));
}
const waiting = async () =>
  (
    await db.pool.query(
      "SELECT payload->>'inboxId' AS id FROM outbox WHERE shop = $1 AND name = 'do-privacy-request'",
      [ledger.shop],
    )
  ).rows.map(({ id }) => id);

/** Two tests of one customer, and the data export that has both. */
async function exported() {
  const id = await wholeStory("canary-a");
  await wholeStory("canary-b", 2002);
  const inboxId = await asked("customer_data_requested");
  await perform(inboxId);
  expect(await download(inboxId)).toMatch(/canary-a.*canary-b/s);
  return { id, inboxId };
}

describe("a data export that is already packed", () => {
  test("loses a test whose owner deletes their data, and keeps the others", async () => {
    const { id, inboxId } = await exported();
    const erased = await eraseOwnData(ledger.ports, { shop: ledger.shop, viewer, requestId: id });
    expect(erased).toEqual({ kind: "erased" });
    // At once: not only when the answer is packed anew.
    expect(await download(inboxId)).not.toContain("patient canary-a");
    expect(await everythingOpened()).not.toContain("patient canary-a");
    expect(await waiting()).toEqual([inboxId]);
    await perform(inboxId);
    const again = await download(inboxId);
    expect(again).not.toMatch(/(patient|result|comment|corrected) canary-a/);
    expect(again).toContain("result canary-b");
  });

  test("loses a test that the shop deletes for its patient", async () => {
    const { id, inboxId } = await exported();
    const orderId = gid("Order", 1001);
    const target = { shop: ledger.shop, orderId, requestId: id, actor: "staff:7" as const };
    expect(await eraseForPatient(ledger.ports, target)).toEqual({ kind: "erased" });
    expect(await download(inboxId)).not.toContain("patient canary-a");
  });

  test("loses results whose owner withdraws their consent, and has them again when it is given", async () => {
    const { id, inboxId } = await exported();
    const wish = { shop: ledger.shop, viewer, requestId: id };
    expect(await hideOwnResults(ledger.ports, { ...wish, hide: true })).toBe(true);
    expect(await download(inboxId)).not.toContain("result canary-a");
    await perform(inboxId);
    const hidden = await download(inboxId);
    expect(hidden).not.toMatch(/(result|comment) canary-a/);
    expect(hidden).not.toContain(Buffer.from("pdf canary-a").toString("base64"));
    expect(hidden).toContain("patient canary-a");
    expect(hidden).toContain("result canary-b");
    expect(await hideOwnResults(ledger.ports, { ...wish, hide: false })).toBe(true);
    await perform(inboxId);
    expect(await download(inboxId)).toContain("result canary-a");
  });
});

test.each([
  ["is held back again", "released_at = NULL"],
  ["turns out to be somebody else's", "other_person = true"],
  ["is withdrawn by the service", "deleted_at = now()"],
])("a data export shows no result, and no report of one, that %s since", async (_, change) => {
  const { id, inboxId } = await exported();
  await db.pool.query(`UPDATE results SET ${change} WHERE request_id = $1`, [id]);
  const opened = await download(inboxId);
  expect(opened).not.toMatch(/(result|comment) canary-a/);
  expect(opened).not.toContain(Buffer.from("pdf canary-a").toString("base64"));
  expect(opened).toContain("patient canary-a");
  expect(opened).toContain("result canary-b");
  expect(opened).toContain(Buffer.from("pdf canary-b").toString("base64"));
});

test("a data export shows no referral, and no form of one, that names somebody else since", async () => {
  const id = await wholeStory("canary-a");
  await wholeStory("canary-b", 2002);
  const uuid = await db.tenancy.inShop(ledger.shop, async (tenant) => {
    const [referral] = await tenant.referrals.forRequests([id]);
    if (!referral) throw new Error("no referral");
    const form = { ...document(id, referral.uuid), kind: "referral" } as const;
    await tenant.documents.store(form, Buffer.from("form canary-a"), ledger.clock.now());
    return referral.uuid;
  });
  const inboxId = await asked("customer_data_requested");
  await perform(inboxId);
  const form = Buffer.from("form canary-a").toString("base64");
  const before = await download(inboxId);
  expect(before).toContain(form);
  expect(before).toContain(`"uuid":"${uuid}"`);
  await db.pool.query("UPDATE referrals SET other_person = true WHERE uuid = $1", [uuid]);
  const opened = await download(inboxId);
  expect(opened).not.toContain(form);
  expect(opened).not.toContain(`"uuid":"${uuid}"`);
  expect(opened).toContain("result canary-b");
});

const lockRequestRow = (inboxId: string) =>
  whoHolds(db, "SELECT FROM privacy_requests WHERE inbox_id = $1 FOR UPDATE", inboxId);

describe("a data export that is just being packed", () => {
  test("is packed by nobody else meanwhile", async () => {
    await wholeStory("canary-a");
    const inboxId = await asked("customer_data_requested");
    const other = await lockRequestRow(inboxId);
    const packing = perform(inboxId);
    await untilWaiting(db, 1);
    await other.end();
    expect(await packing).toMatchObject({ kind: "done" });
  });

  test("makes an erasure wait, which then has it packed anew", async () => {
    const id = await wholeStory("canary-a");
    const inboxId = await asked("customer_data_requested");
    const packing = await lockRequestRow(inboxId);
    const erasing = eraseOwnData(ledger.ports, { shop: ledger.shop, viewer, requestId: id });
    await untilWaiting(db, 1);
    await packing.change(
      "UPDATE privacy_requests SET done_at = now(), export_sealed = 'x' WHERE inbox_id = $1",
      inboxId,
    );
    await packing.end();
    expect(await erasing).toEqual({ kind: "erased" });
    const { rows } = await db.pool.query(
      "SELECT done_at, export_sealed FROM privacy_requests WHERE inbox_id = $1",
      [inboxId],
    );
    expect(rows).toEqual([{ done_at: null, export_sealed: null }]);
    expect(await waiting()).toEqual([inboxId]);
  });
});

describe("a data export of a customer", () => {
  const OTHER = gid("Customer", 8);
  /** Staff correct in the store whose order it is, and the next reading follows. */
  const giveToOther = (number: number) =>
    db.tenancy.inShop(ledger.shop, async (tenant) => {
      const id = gid("Order", number);
      const buyer = { ...storeOrder().buyer, firstName: "Bea, the right one" };
      const order = storeOrder({ id, buyer, customerId: OTHER });
      await tenant.orders.record(order, new Map(), new Date());
      await tenant.customers.giveOrder(id, OTHER);
    });

  test("loses a test whose order turned out to be another customer's, and says so of no other test", async () => {
    const { id, inboxId } = await exported();
    await giveToOther(1001);
    const opened = await download(inboxId);
    expect(opened).not.toMatch(/canary-a|Bea, the right one/);
    expect(opened).not.toContain(Buffer.from("pdf canary-a").toString("base64"));
    expect(opened).not.toContain(id);
    expect(opened).toContain("result canary-b");
    const looks = await db.pool.query<{ what: string; request_id: string }>(
      "SELECT what, request_id FROM access_log WHERE shop = $1 AND what = 'data_export_opened'",
      [ledger.shop],
    );
    // Once before the order was given on, when both tests were in it.
    expect(looks.rows.filter((look) => look.request_id === id)).toHaveLength(1);
    expect(looks.rows).toHaveLength(3);
  });

  test("has nothing of an order that the store names and that is another's since", async () => {
    const id = await wholeStory("canary-a");
    const inboxId = await asked("customer_data_requested", { orderIds: [gid("Order", 1001)] });
    await giveToOther(1001);
    await perform(inboxId);
    const opened = await download(inboxId);
    expect(opened).toContain('"kind":"opened"');
    expect(opened).not.toMatch(/canary-a|Bea, the right one/);
    expect(opened).not.toContain(id);
    const looks = await db.pool.query(
      "SELECT FROM access_log WHERE request_id = $1 AND what LIKE 'data\\_export%'",
      [id],
    );
    expect(looks.rows).toEqual([]);
  });

  test("tells nothing of what became of a test that was handed to its patient", async () => {
    const id = await wholeStory("canary-a");
    const line = { actor: "service", at: ledger.clock.now(), orderId: gid("Order", 1001) } as const;
    await db.tenancy.inShop(ledger.shop, async ({ timeline }) => {
      await timeline.add({ kind: "result_stored", ...line, requestId: id });
      await timeline.add({ kind: "order_read", ...line });
    });
    const inboxId = await asked("customer_data_requested");
    await perform(inboxId);
    expect(await download(inboxId)).toContain("result_stored");
    await db.pool.query("UPDATE referral_requests SET owner = 'patient' WHERE id = $1", [id]);
    const later = await asked("customer_data_requested");
    await perform(later);
    // Packed before it was handed over, and after.
    for (const one of [inboxId, later]) {
      const opened = await download(one);
      expect(opened).toContain("order_read");
      expect(opened).not.toContain("result_stored");
      expect(opened).not.toContain(id);
      expect(opened).not.toContain("patient canary-a");
    }
  });
});
