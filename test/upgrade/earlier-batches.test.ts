import { expect, test } from "vitest";
import { readRun } from "../../app/modules/catalogue/read-run.ts";
import { changeOf } from "../../app/modules/catalogue/run.ts";
import { mappingChanges } from "../../app/modules/catalogue/work-run.ts";
import { shopDomain } from "../../app/modules/kernel/ids.ts";
import { workBatch } from "../../app/modules/kernel/work-batch.ts";
import { reorders } from "../../app/modules/referrals/reorder-billing-failed.ts";
import { orderActions } from "../../app/modules/reports/order-actions.ts";
import { readBulkAction } from "../../app/modules/reports/read-bulk-action.ts";
import { createLogger } from "../../app/platform/logger.ts";
import { EMPTY_JOURNAL } from "../database/empty-journal.ts";
import { IN_DATABASE } from "../database/in-database.ts";
import { AT_THE_DUMP, FACTS, openEarlierDatabase } from "./earlier-database.ts";

const shop = shopDomain(FACTS.shop);
if (!shop) throw new Error("The dump names no shop");
const id = (number: number) => `6f9619ff-8b86-4011-b42d-00c04fc9640${number}`;
const [DONE, BEGUN, DRAFT, ASKED, ENDED] = [1, 2, 3, 4, 5].map(id) as [
  ...[string, string, string, string, string],
];
const NOTES = "Fasting since midnight";
const CHANGE = {
  kind: "order",
  items: { bundleId: null, tests: ["fbc"], medicareTests: [], practitioner: null },
};

const { pool, tenancy } = await openEarlierDatabase(async (earlier, sealAsEarlier) => {
  const { rows } = await earlier.query<{ id: string }>(
    "SELECT order_id AS id FROM orders WHERE shop = $1 ORDER BY 1",
    [shop],
  );
  const [first, second] = rows.map((row) => row.id);
  await earlier.query(
    `INSERT INTO bulk_runs (shop, id, action, actor, selection, cursor, state, total, created_at, finished_at)
     VALUES ($1, $2, 'resync', 'staff:7', '', NULL, 'done', 2, $4, $4),
            ($1, $3, 'resync', 'staff:8', '', NULL, 'running', 2, $4, NULL)`,
    [shop, DONE, BEGUN, AT_THE_DUMP],
  );
  await earlier.query(
    `INSERT INTO bulk_run_orders (shop, run_id, order_id, outcome, reasons)
     VALUES ($1, $2, $4, 'failed', '{}'), ($1, $2, $5, 'done', '{}'),
            ($1, $3, $4, 'done', '{}'), ($1, $3, $5, NULL, '{unmapped_line}')`,
    [shop, DONE, BEGUN, first, second],
  );
  await earlier.query(
    `INSERT INTO mapping_runs (shop, id, environment, kind, state, file_name, created_at)
     VALUES ($1, $2, 'staging', 'file', 'draft', 'm.csv', $3)`,
    [shop, DRAFT, AT_THE_DUMP],
  );
  const field = { table: "mapping_run_rows", column: "clinical_notes", row: `${DRAFT} 2` };
  const sealed = await sealAsEarlier(field, NOTES);
  const variant = "gid://shopify/ProductVariant/7";
  await earlier.query(
    `INSERT INTO mapping_run_rows (shop, run_id, position, line, variant_id, product_id, label, change,
                                   clinical_notes_sealed, was, becomes, field, outcome, message)
     VALUES ($1, $2, 1, 2, $3, NULL, 'Line', NULL, NULL, '', '', 'sku', 'refused', 'No such SKU'),
            ($1, $2, 2, 3, $3, 'gid://shopify/Product/7', 'Line', $4, $5, 'a', 'b', NULL, NULL, NULL),
            ($1, $2, 3, 4, NULL, NULL, 'Line', NULL, NULL, '', '', NULL, 'unchanged', NULL)`,
    [shop, DRAFT, variant, JSON.stringify(CHANGE), sealed],
  );
  const request = FACTS.requests.issued?.[0];
  await earlier.query(
    "UPDATE referrals SET status = 'BILLING_FAILED' WHERE shop = $1 AND request_id = $2",
    [shop, request],
  );
  await earlier.query(
    `INSERT INTO bulk_reorders (shop, id, asked_by, asked_at, total, done, finished_at)
     VALUES ($1, $2, 'staff:7', $4, 3, 2, NULL), ($1, $3, 'staff:7', $4, 2, 2, $4)`,
    [shop, ASKED, ENDED, AT_THE_DUMP],
  );
});
const ports = {
  tenancy,
  clock: { now: () => AT_THE_DUMP },
  logger: createLogger("silent"),
  waits: {
    ...{
      createTimeoutMs: 0,
      quarantineMs: 0,
      documentOverdueMs: 600_000,
      erasureDelayMs: 0,
      syncIntervalMs: 0,
    },
    ...{ reminderDayMs: 86_400_000, mailWindowMs: 0, escalationHourMs: 3_600_000 },
  },
};
const jobs = async (name: string) => {
  const { rows } = await pool.query<{ payload: Record<string, string> }>(
    "SELECT payload FROM outbox WHERE shop = $1 AND name = $2",
    [shop, name],
  );
  return rows.map((row) => row.payload);
};

test("shows the report of a bulk action, order by order", async () => {
  const progress = await readBulkAction(ports, { shop, batchId: DONE });
  expect(progress).toMatchObject({
    ...{ action: "resync", state: "done", actor: "staff:7" },
    counts: { total: 2, done: 1, failed: 1, waiting: 0 },
  });
  expect(progress?.notDone).toMatchObject([{ outcome: "failed" }]);
});

test("goes on with a bulk action where it was", async () => {
  const before = (await jobs("reconcile-order")).length;
  const handlers = { order_action: orderActions };
  expect(await workBatch(ports, { shop, batchId: BEGUN }, handlers)).toBe("done");
  expect(await jobs("reconcile-order")).toHaveLength(before + 1);
});

test("shows a draft line by line, and opens the notes that wait in it", async () => {
  const report = await readRun(ports, { shop, runId: DRAFT, after: 0 });
  expect(report?.run).toMatchObject({ kind: "file", state: "draft", fileName: "m.csv" });
  expect(report?.rows).toMatchObject([
    { line: 2, field: "sku", outcome: "refused", message: "No such SKU" },
    { line: 3, was: "a", becomes: "b", outcome: null },
    { line: 4, variantId: null, outcome: "nothing_to_do" },
  ]);
  await tenancy.inShop(shop, async (tenant) => {
    await tenant.batches.move(DRAFT, ["draft"], "running", AT_THE_DUMP);
    const due = await tenant.batches.takeDue(DRAFT);
    expect(due && changeOf(due)?.change).toEqual({ ...CHANGE, clinicalNotes: NOTES });
  });
  const where = { shop, batchId: DRAFT };
  expect(await workBatch(ports, where, { mapping_change: mappingChanges })).toBe("done");
});

test("orders again what is left of an asking", async () => {
  const handlers = { reorder: reorders };
  const nobody = {
    ...{ services: { forConnection: async () => null }, emailByService: false },
    attachments: { download: async () => ({ kind: "gone" as const, reason: "no service" }) },
    documentBodies: IN_DATABASE,
    mailJournal: EMPTY_JOURNAL,
  };
  const atWork = { ...ports, ...nobody };
  expect(await workBatch(atWork, { shop, batchId: ASKED }, handlers)).toBe("done");
  const counts = await tenancy.inShop(shop, (tenant) => tenant.batches.countsOf(ASKED));
  expect(counts).toMatchObject({ total: 1, done: 1 });
  const latest = await tenancy.inShop(shop, (tenant) => tenant.batches.find(ENDED));
  expect(latest).toMatchObject({ kind: "reorder", state: "done" });
});
