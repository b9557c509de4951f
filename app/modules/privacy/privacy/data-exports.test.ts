import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../../test/database/ledger.ts";
import { readyRequest, storeOrder } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { type CustomerId, gid, type OrderId } from "../../kernel/ids.ts";
import { createReferral } from "../../referrals/create-referral.ts";
import { doPrivacyRequest } from "../do-privacy-request.ts";
import { openDataExport } from "../open-data-export.ts";
import { createShopEraser } from "../postgres/shop-eraser.ts";
import { redactExpired } from "../redact-expired.ts";

const db = await openTestDatabase();
const [ANNA, BEA] = [gid("Customer", 7), gid("Customer", 8)];
const ORDER = gid("Order", 1001);
const DAY_MS = 86_400_000;
let ledger: Ledger;
let lastInboxId = 0;

/** Anna has bought something and given her details. */
beforeEach(async () => {
  ledger = await startLedger(db);
  await readyRequest(db, ledger.shop);
  await inShop((tenant) => tenant.orders.record(storeOrder(), new Map(), new Date()));
});

const inShop = <T>(work: Parameters<typeof db.tenancy.inShop<T>>[1]) =>
  db.tenancy.inShop(ledger.shop, work);
const merge = () => inShop((t) => t.customers.merge(ANNA, BEA, ledger.clock.now()));
const ports = () => ({
  ...ledger.ports,
  shopEraser: createShopEraser(db.pool),
  storeAccess: {
    check: async () => "open" as const,
    hasCustomer: () => Promise.reject(new Error("not asked")),
  },
});
async function ask(
  kind: "customer_data_requested" | "customer_redacted",
  customerId: CustomerId,
  orderIds: OrderId[] = [],
) {
  const inboxId = String(++lastInboxId);
  const at = ledger.clock.now();
  const asked = { kind, inboxId, askedAt: at, openedAt: at, customerId, orderIds };
  await inShop((tenant) => tenant.privacy.open(asked));
  return { inboxId, perform: () => doPrivacyRequest(ports(), { shop: ledger.shop, inboxId }) };
}
const packed = async (inboxId: string) => {
  const actor = "staff:1" as const;
  const why = { reason: "patient_asked", caseNumber: null } as const;
  const opened = await openDataExport(ledger.ports, { shop: ledger.shop, inboxId, actor, ...why });
  return opened.kind === "opened" ? JSON.stringify(opened.held) : null;
};
const privacyRequestRows = async () =>
  (
    await db.pool.query(
      "SELECT customer_id, order_ids, export_sealed IS NOT NULL AS packed FROM privacy_requests WHERE shop = $1",
      [ledger.shop],
    )
  ).rows;
const EMPTIED = { customer_id: null, order_ids: [], packed: false };

test("has who opened what, and what was shared with whom of it", async () => {
  const [id = ""] = await inShop(async (tenant) =>
    (await tenant.requests.forOrder(ORDER)).map((one) => one.id),
  );
  await inShop((tenant) =>
    tenant.accessLog.add({
      ...{ at: ledger.clock.now(), who: "staff", actor: "staff:1", what: "details_viewed" },
      requestId: id,
    }),
  );
  const asked = await ask("customer_data_requested", ANNA);
  expect(await asked.perform()).toMatchObject({ receipt: { accesses: 1, shares: 0 } });
  const held = JSON.parse((await packed(asked.inboxId)) ?? "{}");
  expect(held.accesses).toMatchObject([{ requestId: id, who: "staff", what: "details_viewed" }]);
});

/** Tables with something of a person that a data export leaves out, each with the reason. */
const LEFT_OUT: Record<string, string> = {
  alert_mails: "told to staff",
  attention_news: "order numbers for the next mail to staff",
  customer_merges: "the store's own accounts",
  details_drafts: "deleted a day after they were typed; a copy would last for a month",
  document_tickets: "addresses that end within a minute",
  export_tickets: "addresses that end within a minute",
  order_words: "keyed hashes of what the order has in clear",
  patient_links: "mailed addresses, as hashes; the mails are in",
  privacy_requests: "the question itself",
  simulations: "no person's",
  staff_access: "the same looks are in the access log",
  step_up_codes: "codes that end within minutes",
};

test("every table with something of a test, an order or a customer is in it, or says why not", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('request_id', 'order_id', 'customer_id') ORDER BY 1`,
  );
  expect(rows.map((row) => row.name).filter((name) => !(name in LEFT_OUT))).toEqual([
    "access_log",
    "consents",
    "documents",
    "notifications",
    "order_lines",
    "orders",
    "patient_corrections",
    "referral_requests",
    "referrals",
    "result_shares",
    "results",
    "saved_patients",
    "timeline",
  ]);
});

test("destroys a merged customer's data export with the one who is left", async () => {
  const asked = await ask("customer_data_requested", ANNA);
  await asked.perform();
  await merge();
  expect(await packed(asked.inboxId)).toContain("Citizen");
  const redaction = await ask("customer_redacted", BEA);
  expect(await redaction.perform()).toMatchObject({ receipt: { dataExports: 1, requests: 1 } });
  expect(await packed(asked.inboxId)).toBeNull();
  expect(await privacyRequestRows()).toEqual([EMPTIED, EMPTIED]);
});

test.each(["before it was packed", "before it was asked for"])(
  "a customer who was merged %s has what the one who is left has",
  async (when) => {
    if (when === "before it was asked for") await merge();
    const asked = await ask("customer_data_requested", ANNA);
    if (when === "before it was packed") await merge();
    expect(await asked.perform()).toMatchObject({ receipt: { orders: 1, requests: 1 } });
    expect(await packed(asked.inboxId)).toContain("Citizen");
    await (await ask("customer_redacted", BEA)).perform();
    expect(await privacyRequestRows()).toEqual([EMPTIED, EMPTIED]);
  },
);

test("a redaction that waits is not widened to the one whom the customer was merged into", async () => {
  const other = await readyRequest(db, ledger.shop, { orderNumber: 2 });
  await db.pool.query("UPDATE referral_requests SET customer_id = $2 WHERE id = $1", [other, BEA]);
  const redaction = await ask("customer_redacted", ANNA, [ORDER]);
  await merge();
  await redaction.perform();
  expect((await inShop((t) => t.requests.find(other)))?.hasPatient).toBe(true);
});

test("leaves out what is not released, and ends after 30 days", async () => {
  const [id = ""] = await inShop(async (tenant) =>
    (await tenant.requests.forOrder(ORDER)).map((one) => one.id),
  );
  await createReferral(ledger.ports, { shop: ledger.shop, requestId: id });
  await inShop(async (tenant) => {
    const [referral] = await tenant.referrals.forRequests([id]);
    for (const [productName, releasedAt] of [
      ["Shown", ledger.clock.now()],
      ["Held back", null],
    ] as const) {
      const snapshot = resultSnapshot({ referralUuid: referral?.uuid ?? "", productName });
      const state = { partial: false, inReview: false, otherPerson: false, releasedAt };
      const at = ledger.clock.now();
      await tenant.results.save({ environment: "staging", requestId: id, snapshot, ...state, at });
      const report = { id: randomUUID(), requestId: id, customerId: ANNA, partial: false };
      const stored = { ...report, sha256: randomUUID(), bytes: 10 } as const;
      const pdf = Buffer.from(`report ${productName}`);
      const source = { kind: "result", sourceUuid: snapshot.uuid } as const;
      await tenant.documents.store({ ...stored, ...source }, pdf, at);
    }
  });
  const asked = await ask("customer_data_requested", ANNA);
  expect(await asked.perform()).toMatchObject({ receipt: { results: 1, documents: 1 } });
  const held = (await packed(asked.inboxId)) ?? "";
  expect(held).toContain("Shown");
  expect(held).toContain(Buffer.from("report Shown").toString("base64"));
  expect(held).not.toContain("Held back");
  expect(held).not.toContain(Buffer.from("report Held back").toString("base64"));
  ledger.clock.advance(29 * DAY_MS);
  await redactExpired(ledger.ports, ledger.shop);
  expect(await packed(asked.inboxId)).not.toBeNull();
  ledger.clock.advance(2 * DAY_MS);
  // It is over before maintenance has come round.
  expect(await packed(asked.inboxId)).toBeNull();
  await redactExpired(ledger.ports, ledger.shop);
  expect(await packed(asked.inboxId)).toBeNull();
  expect(await privacyRequestRows()).toEqual([EMPTIED]);
});
