import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { privacyRun, SEARCHED } from "../../../test/database/privacy-run.ts";
import { gid } from "../kernel/ids.ts";
import { openDataExport } from "./open-data-export.ts";

const db = await openTestDatabase();
const run = privacyRun(db);
const { asked, perform, wholeStory } = run;
let ledger: Ledger;

beforeEach(async () => {
  ledger = await run.start();
});

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
  "saved_patients",
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
  // Names of objects, which tell nothing, and whose keys went with their documents.
  "former_objects",
  // Emptied as each message is handled; what is parked holds an order's id.
  "inbox",
  "leases",
  // It tells which tests a product orders, and names staff and practitioners.
  "mapping_changes",
  "mappings",
  // The shop says it to everybody.
  "notice_wordings",
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
