/** Long because it goes through everything that the three privacy requests and retention have to do. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../test/database/ledger.ts";
import { readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { askPool } from "../../platform/encryption/data-keys.ts";
import { sealerWith } from "../../platform/encryption/sealer.ts";
import { SEALED_COLUMNS } from "../../sealed-columns.ts";
import { gid, type OrderId } from "../kernel/ids.ts";
import { installShop } from "../lifecycle/install-shop.ts";
import type { PrivacyRequestKind } from "../orders/privacy-request.ts";
import { reconcileOrder } from "../orders/reconcile-order.ts";
import { createReferral } from "../referrals/create-referral.ts";
import type { StoreAnswer } from "../shops/store-access.ts";
import { doPrivacyRequest } from "./do-privacy-request.ts";
import { openDataExport } from "./open-data-export.ts";
import { createShopEraser } from "./postgres/shop-eraser.ts";
import { monthsBefore, redactExpired } from "./redact-expired.ts";

const db = await openTestDatabase();
const CUSTOMER = gid("Customer", 7);
const ORDER = gid("Order", 1001);
let ledger: Ledger;
let storeAnswer: StoreAnswer;
let lastInboxId = 0;

beforeEach(async () => {
  ledger = await startLedger(db);
  storeAnswer = "open";
});

const ports = () => ({
  ...ledger.ports,
  shopEraser: createShopEraser(db.pool),
  storeAccess: {
    check: async () => storeAnswer,
    hasCustomer: () => Promise.reject(new Error("not asked")),
  },
});

async function asked(
  kind: PrivacyRequestKind,
  { askedAt = ledger.clock.now(), orderIds = [] as OrderId[] } = {},
): Promise<string> {
  const inboxId = String(++lastInboxId);
  await db.tenancy.inShop(ledger.shop, (tenant) =>
    tenant.privacy.open({
      kind,
      inboxId,
      askedAt,
      openedAt: askedAt,
      customerId: kind === "shop_redacted" ? null : CUSTOMER,
      orderIds,
    }),
  );
  return inboxId;
}
const perform = (inboxId: string) => doPrivacyRequest(ports(), { shop: ledger.shop, inboxId });
const find = (id: string) =>
  db.tenancy.inShop(ledger.shop, async (tenant) => ({
    request: await tenant.requests.find(id),
    details: await tenant.requests.patientOf(id),
  }));

/** An order with a request that has gone all the way, every part of it holding a word of its own. */
async function wholeStory(canary: string, orderNumber = 1001): Promise<string> {
  const { shop } = ledger;
  const id = await readyRequest(db, shop, { orderNumber });
  const orderId = gid("Order", orderNumber);
  await db.tenancy.inShop(shop, async (tenant) => {
    const buyer = { ...storeOrder().buyer, firstName: `buyer ${canary}` };
    await tenant.orders.record(storeOrder({ id: orderId, buyer }), new Map(), new Date());
    const details = await tenant.requests.patientOf(id);
    if (!details) throw new Error("no details");
    const patient = { ...details.patient, lastName: `patient ${canary}` };
    await tenant.requests.savePatient(id, { ...details, patient }, ledger.clock.now());
  });
  await createReferral(ledger.ports, { shop, requestId: id });
  await db.tenancy.inShop(shop, async (tenant) => {
    const [referral] = await tenant.referrals.forRequests([id]);
    if (!referral) throw new Error("no referral");
    const at = ledger.clock.now();
    const snapshot = resultSnapshot({
      referralUuid: referral.uuid,
      productName: `result ${canary}`,
    });
    await tenant.results.save({
      environment: "staging",
      requestId: id,
      snapshot,
      partial: false,
      inReview: false,
      otherPerson: false,
      releasedAt: at,
      at,
    });
    const release = { name: "Dr Reader", comment: `comment ${canary}`, contacted: false };
    await tenant.results.recordRelease(snapshot.uuid, release);
    await tenant.documents.store(document(id, snapshot.uuid), Buffer.from(`pdf ${canary}`), at);
    await tenant.notifications.note({ requestId: id, kind: "form_ready" }, at);
    const corrected = (await tenant.requests.patientOf(id))?.patient;
    if (corrected)
      await tenant.corrections.add(id, { ...corrected, firstName: `corrected ${canary}` }, at);
  });
  return id;
}
const document = (requestId: string, sourceUuid: string) => ({
  id: randomUUID(),
  requestId,
  customerId: CUSTOMER,
  kind: "result" as const,
  sourceUuid,
  partial: false,
  sha256: randomUUID(),
  bytes: 10,
});

/** The columns of which something may be somebody's. */
const SEARCHED = SEALED_COLUMNS.filter(({ table }) => !["connections", "sessions"].includes(table));
/** The shop's own secrets: nobody's data. */
const CREDENTIALS_SEALED = [
  "connections.address_sealed",
  "connections.client_id_sealed",
  "connections.client_secret_sealed",
  "connections.previous_signing_secret_sealed",
  "connections.signing_secret_sealed",
  "connections.tokens_sealed",
  "sessions.access_token_sealed",
  "sessions.refresh_token_sealed",
];

/** Everything that the keys which exist open, in every sealed column of every table. */
async function everythingOpened(): Promise<string> {
  const { shop } = ledger;
  const own = await db.sealers.forShop(shop);
  const texts: string[] = [];
  for (const { table, column, place, subject } of SEARCHED) {
    const { rows } = await db.pool.query<{ subject: string; row: string; sealed: Buffer }>(
      `SELECT ${subject} AS subject, ${place[2]} AS row, ${column} AS sealed
       FROM ${table} t WHERE shop = $1 AND length(${column}) > 0`,
      [shop],
    );
    const sets = await db.sealers.keys.read(
      askPool(db.pool),
      shop,
      rows.map((found) => found.subject),
    );
    for (const { subject: name, row, sealed } of rows) {
      const set = sets.get(name);
      if (!set) throw new Error(`No key seals ${table}.${column}`);
      const field = { table: place[0], column: place[1], row };
      texts.push(sealerWith(shop, set, own.open).open(field, sealed).toString());
    }
  }
  return texts.join("\n");
}

/** Where anything of a canary stands in clear or merely encoded, in every row of every table. */
async function standsIn(canary: string): Promise<string[]> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const forms = [
    canary,
    Buffer.from(canary).toString("hex"),
    Buffer.from(canary).toString("base64"),
  ];
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.pool.query<{ text: string }>(
      `SELECT t::text AS text FROM ${name} AS t`,
    );
    if (rows.some(({ text }) => forms.some((form) => text.includes(form)))) found.push(name);
  }
  return found;
}

test("the search of the next tests looks into every sealed column that there is", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%\\_sealed' ORDER BY 1`,
  );
  expect(rows.map((row) => row.name)).toEqual(
    [
      ...CREDENTIALS_SEALED,
      ...SEARCHED.map(({ table, column }) => `${table}.${column}`),
    ].toSorted(),
  );
});

describe("what is held about a customer", () => {
  test("is packed once, sealed, and handed out with a mark of who took it", async () => {
    const id = await wholeStory("canary-7");
    await wholeStory("stranger", 2002);
    await db.pool.query(
      "UPDATE referral_requests SET customer_id = $2 WHERE shop = $1 AND order_id = $3",
      [ledger.shop, gid("Customer", 8), gid("Order", 2002)],
    );
    await db.pool.query("UPDATE orders SET customer_id = $2 WHERE shop = $1 AND order_id = $3", [
      ledger.shop,
      gid("Customer", 8),
      gid("Order", 2002),
    ]);
    const inboxId = await asked("customer_data_requested");
    expect(await perform(inboxId)).toMatchObject({
      kind: "done",
      receipt: { orders: 1, requests: 1, referrals: 1, results: 1, documents: 1 },
    });
    expect(await perform(inboxId)).toEqual({ kind: "nothing_to_do" });
    const why = { reason: "patient_asked", caseNumber: null } as const;
    const target = { shop: ledger.shop, inboxId, actor: "staff:9" as const, ...why };
    const opened = await openDataExport(ledger.ports, target);
    const text = JSON.stringify(opened);
    for (const part of ["buyer", "patient", "result", "corrected"])
      expect(text).toContain(`${part} canary-7`);
    expect(text).toContain(Buffer.from("pdf canary-7").toString("base64"));
    expect(text).toContain(id);
    expect(text).not.toContain("stranger");
    const { rows } = await db.pool.query(
      "SELECT actor FROM timeline WHERE shop = $1 AND kind = 'package_opened'",
      [ledger.shop],
    );
    expect(rows).toEqual([{ actor: "staff:9" }]);
    expect(await openDataExport(ledger.ports, { ...target, inboxId: "999999" })).toEqual({
      kind: "not_found",
    });
  });
});

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

/** Where something about a customer can be, and where nothing can. A new table has to be put in one of the two. */
const REDACTED_BY_CUSTOMER = [
  "consents",
  "customer_merges",
  "details_drafts",
  "document_bodies",
  "document_tickets",
  "documents",
  "notifications",
  "order_words",
  "orders",
  "patient_links",
  "patient_corrections",
  "privacy_requests",
  "referral_requests",
  "referrals",
  "result_shares",
  "results",
  "step_up_codes",
];
const NOTHING_OF_A_CUSTOMER = [
  // The shop's own people, and order numbers.
  "alert_mails",
  "alert_recipients",
  "attention_news",
  // Ids of orders, variants and requests, and what became of them.
  "access_log",
  "access_log_seals",
  "batch_items",
  "batches",
  "catalogues",
  "order_imports",
  "connections",
  // Keys, and where the sealing anew stands: the keys of what is erased go with it.
  "data_keys",
  "key_epochs",
  "resealings",
  // Each opens a customer's own data for a minute.
  "export_tickets",
  // Emptied as each message is handled; what is parked holds an order's id.
  "inbox",
  "leases",
  // It tells which tests a product orders, and names staff and practitioners.
  "mapping_changes",
  "mappings",
  "order_lines",
  "outbox",
  // The sessions of a deleted link: they open nothing.
  "patient_sessions",
  // Doctors, by the merchant's own entry.
  "practitioners",
  "published_details",
  // Made-up people only.
  "simulations",
  // Staff, reasons and the merchant's own case numbers.
  "staff_access",
  "staff_members",
  // Searches are by order number.
  "saved_views",
  "sessions",
  "shop_keys",
  "shops",
  "store_readings",
  "store_variants",
  "timeline",
  "unclaimed_referrals",
  "unreadable_entries",
];

test("every table of a shop is known to hold something of a customer, or nothing", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'shop' ORDER BY 1`,
  );
  const known = [...REDACTED_BY_CUSTOMER, ...NOTHING_OF_A_CUSTOMER].toSorted();
  expect(rows.map((row) => row.name)).toEqual(known);
});

describe("forgetting a shop", () => {
  const uninstall = async () => {
    ledger.clock.advance(1000);
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.uninstall(ledger.clock.now()));
    ledger.clock.advance(48 * 3_600_000);
  };
  const rowsLeft = async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'shop'",
    );
    let left = 0;
    for (const { name } of rows)
      left += (await db.pool.query(`SELECT FROM ${name} WHERE shop = $1`, [ledger.shop]))
        .rowCount as number;
    return left;
  };

  test("leaves no row in any table, and a receipt that does not say whose it was", async () => {
    await wholeStory("canary-4");
    const erasures = async () => (await db.pool.query("SELECT * FROM erasures")).rows;
    const before = (await erasures()).length;
    await uninstall();
    const outcome = await perform(await asked("shop_redacted"));
    expect(outcome).toMatchObject({ kind: "done", receipt: { referral_requests: 1, orders: 1 } });
    expect(await rowsLeft()).toBe(0);
    const receipts = await erasures();
    expect(receipts).toHaveLength(before + 1);
    expect(JSON.stringify(receipts)).not.toContain(ledger.shop);
  });

  test("spares a shop that came back, and one that never left", async () => {
    const id = await wholeStory("canary-5");
    await uninstall();
    const inboxId = await asked("shop_redacted");
    ledger.clock.advance(1000);
    await installShop(ledger.ports, { shop: ledger.shop, scope: "" });
    expect(await perform(inboxId)).toEqual({
      kind: "done",
      receipt: { kept: "installed_again" },
    });
    expect((await find(id)).details).not.toBeNull();
    // Asked by a message that seems to be later than the install: the store itself is asked.
    const later = { askedAt: new Date(ledger.clock.now().getTime() + 49 * 3_600_000) };
    expect(await perform(await asked("shop_redacted", later))).toMatchObject({
      receipt: { kept: "installed_again" },
    });
    expect((await find(id)).details).not.toBeNull();
  });

  test("never touches a shop that is installed at that moment, whoever asks", async () => {
    const id = await wholeStory("canary-8");
    const at = ledger.clock.now();
    expect(
      await createShopEraser(db.pool).erase(ledger.shop, { askedAt: at, doneAt: at }),
    ).toBeNull();
    expect((await find(id)).details).not.toBeNull();
  });

  test("waits for the delay to end, and is cancelled by an install meanwhile", async () => {
    const id = await wholeStory("canary-9");
    const delayed = () => {
      const base = ports();
      return { ...base, waits: { ...base.waits, erasureDelayMs: 3_600_000 } };
    };
    const run = (inboxId: string) => doPrivacyRequest(delayed(), { shop: ledger.shop, inboxId });
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.uninstall(ledger.clock.now()));
    const first = await asked("shop_redacted");
    expect(await run(first)).toMatchObject({ kind: "delayed" });
    ledger.clock.advance(3_599_999);
    expect(await run(first)).toMatchObject({ kind: "delayed" });
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.install("", ledger.clock.now()));
    ledger.clock.advance(1);
    expect(await run(first)).toMatchObject({ receipt: { kept: "installed_again" } });
    expect((await find(id)).details).not.toBeNull();
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.uninstall(ledger.clock.now()));
    const second = await asked("shop_redacted");
    ledger.clock.advance(3_600_000);
    expect(await run(second)).toMatchObject({ kind: "done" });
    expect(await rowsLeft()).toBe(0);
  });

  test("stays cancelled when the shop came back and has left again meanwhile", async () => {
    const id = await wholeStory("canary-10");
    await uninstall();
    const inboxId = await asked("shop_redacted");
    ledger.clock.advance(1000);
    await installShop(ledger.ports, { shop: ledger.shop, scope: "" });
    ledger.clock.advance(1000);
    await uninstall();
    ledger.clock.advance(49 * 3_600_000);
    expect(await perform(inboxId)).toMatchObject({ receipt: { kept: "installed_again" } });
    expect((await find(id)).details).not.toBeNull();
    // The store asks again for that.
    expect(await perform(await asked("shop_redacted"))).toMatchObject({ kind: "done" });
    expect(await rowsLeft()).toBe(0);
  });

  test("is not done on the word of a message alone while the store cannot be asked", async () => {
    await wholeStory("canary-8");
    storeAnswer = "unknown";
    ledger.clock.advance(49 * 3_600_000);
    await perform(await asked("shop_redacted"));
    expect(await rowsLeft()).toBeGreaterThan(0);
  });

  test("is done also when the message about uninstalling never came", async () => {
    await wholeStory("canary-6");
    storeAnswer = "refused";
    ledger.clock.advance(49 * 3_600_000);
    await perform(await asked("shop_redacted"));
    expect(await rowsLeft()).toBe(0);
  });
});

describe("retention", () => {
  test("redacts what has not changed for so long, and nothing that has", async () => {
    const id = await wholeStory("canary-old");
    const clock = movableClock();
    const aged = { tenancy: db.tenancy, clock };
    clock.advance(400 * 86_400_000);
    expect(await redactExpired(aged, ledger.shop)).toBe(0);
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.setRetention(24));
    expect(await redactExpired(aged, ledger.shop)).toBe(0);
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.setRetention(12));
    const recent = await readyRequest(db, ledger.shop, { orderNumber: 5 });
    await db.pool.query("UPDATE referral_requests SET updated_at = $2 WHERE id = $1", [
      recent,
      clock.now(),
    ]);
    expect(await redactExpired(aged, ledger.shop)).toBe(2);
    expect((await find(id)).details).toBeNull();
    expect((await find(recent)).details).not.toBeNull();
    expect(await everythingOpened()).not.toContain("canary-old");
    expect(await redactExpired(aged, ledger.shop)).toBe(0);
  });

  test.each([
    ["2026-03-31T10:00:00.000Z", 1, "2026-02-28T10:00:00.000Z"],
    ["2026-01-15T00:00:00.000Z", 13, "2024-12-15T00:00:00.000Z"],
    ["2028-02-29T00:00:00.000Z", 12, "2027-02-28T00:00:00.000Z"],
  ])("%s less %i months", (at, months, expected) => {
    expect(monthsBefore(new Date(at), months).toISOString()).toBe(expected);
  });
});
