import { expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { applyMaintenance } from "./apply-maintenance.ts";
import { readMaintenanceForm } from "./maintenance-form.ts";

const db = await openTestDatabase();
const storeOrderList = {
  page: () => Promise.reject(new Error("nobody asks the store")),
  find: async () => null,
};
/** Six in the morning of the 26th in Sydney, whose clock the shop goes by. */
const NOW = new Date("2026-11-25T19:00:00Z");

async function importSince(since: string) {
  const { shop, ports } = await startLedger(db);
  const clock = movableClock();
  clock.advance(NOW.getTime() - clock.now().getTime());
  const form = new FormData();
  form.set("intent", "import-orders");
  form.set("since", since);
  const reading = readMaintenanceForm(form);
  if (reading.kind !== "valid") return reading;
  const by = { shop, actor: "staff:7" } as const;
  const answer = await applyMaintenance({ ...ports, clock, storeOrderList }, by, reading.value);
  const begun = await db.tenancy.inShop(shop, (tenant) => tenant.orderImports.running());
  return { ...answer, since: begun?.since.toISOString() ?? null };
}

test("a look for missed orders begins with the day as the store's clock has it", async () => {
  expect(await importSince("2026-11-20")).toMatchObject({ since: "2026-11-19T13:00:00.000Z" });
});

test("today can be chosen in the morning, and tomorrow not", async () => {
  expect(await importSince("2026-11-26")).toMatchObject({ since: "2026-11-25T13:00:00.000Z" });
  const later = { errors: { since: "Enter a date that has passed." }, since: null };
  expect(await importSince("2026-11-27")).toEqual(later);
});

test.each([
  ["#1001", "valid"],
  ["PATH/1001 AU", "valid"],
  ["AU#1001", "valid"],
  ["Nº 1001.2", "valid"],
  ["", "invalid"],
  ["#", "invalid"],
])("an order is named as the shop writes its numbers: “%s” is %s", (order, kind) => {
  const form = new FormData();
  form.set("intent", "import-order");
  form.set("order", order);
  expect(readMaintenanceForm(form).kind).toBe(kind);
});
