/** How the people whose details a customer keeps live and end: merges, exports, erasures, retention, restores. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { untilWaiting, whoHoldsRequest } from "../../../test/database/locks.ts";
import { CUSTOMER, privacyRun } from "../../../test/database/privacy-run.ts";
import { PATIENT, readyRequest } from "../../../test/database/seed.ts";
import { type ExportedFile, exportEverything } from "../access/export-everything.ts";
import {
  findSavedPatient,
  keepGivenPatient,
  listSavedPatients,
  markSavedPatientUsed,
  putSavedPatient,
} from "../access/saved-patients.ts";
import { type CustomerId, gid } from "../kernel/ids.ts";
import { deleteSavedPatient } from "./delete-saved-patient.ts";
import { eraseForPatient } from "./erase-own-data.ts";
import { exportForPatient } from "./export-for-patient.ts";
import { openDataExport } from "./open-data-export.ts";
import { redactExpired } from "./redact-expired.ts";
import { replayErasures } from "./replay-erasures.ts";

const db = await openTestDatabase();
const run = privacyRun(db);
const { asked, perform, everythingOpened } = run;
const OTHER = gid("Customer", 8);
let ledger: Ledger;
beforeEach(async () => {
  ledger = await run.start();
});

const as = (customerId: CustomerId) =>
  ({ shop: ledger.shop, viewer: { kind: "customer", customerId } }) as const;
/** Keeps somebody of this last name for a customer. */
async function keep(lastName: string, customerId: CustomerId = CUSTOMER, id = randomUUID()) {
  const details = { ...PATIENT, lastName };
  ledger.clock.advance(1);
  const outcome = await putSavedPatient(ledger.ports, { ...as(customerId), id, details });
  expect(outcome.kind).toBe("saved");
  return id;
}
const namesOf = async (customerId: CustomerId = CUSTOMER) =>
  (await listSavedPatients(ledger.ports, as(customerId)))?.map(({ patient }) => patient.lastName);
const merge = (from: CustomerId, into: CustomerId) =>
  db.tenancy.inShop(ledger.shop, (t) => t.customers.merge(from, into, ledger.clock.now()));
const keysLeft = async () =>
  (
    await db.pool.query("SELECT FROM data_keys WHERE shop = $1 AND subject LIKE 'patient %'", [
      ledger.shop,
    ])
  ).rowCount;
/** The files of an export, by their names. */
async function textsOf(files: AsyncGenerator<ExportedFile>): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { name, content } of files) texts[name] = content.toString();
  return texts;
}
async function download(inboxId: string): Promise<string> {
  const why = { reason: "patient_asked", caseNumber: null } as const;
  const target = { shop: ledger.shop, inboxId, actor: "staff:9" as const, ...why };
  return JSON.stringify(await openDataExport(ledger.ports, target));
}

describe("a merge of customers", () => {
  test("gives the survivor what the other keeps, and nobody else's", async () => {
    await keep("Of-Other", OTHER);
    await keep("Of-Nobody-Else", gid("Customer", 9));
    await merge(OTHER, CUSTOMER);
    expect(await namesOf()).toEqual(["Of-Other"]);
    expect(await namesOf(gid("Customer", 9))).toEqual(["Of-Nobody-Else"]);
  });

  test("that was told before counts for what is saved with the former account's token", async () => {
    await merge(OTHER, CUSTOMER);
    const id = await keep("Of-Other", OTHER);
    expect(await namesOf()).toEqual(["Of-Other"]);
    expect(await findSavedPatient(ledger.ports, { ...as(OTHER), id })).not.toBeNull();
    await keep("Changed", CUSTOMER, id);
    expect(await namesOf(OTHER)).toEqual(["Changed"]);
  });
});

describe("details that were given for a test", () => {
  test("are kept once for each person, with the card that is known", async () => {
    const first = await readyRequest(db, ledger.shop, { orderNumber: 1 });
    const second = await readyRequest(db, ledger.shop, { orderNumber: 2 });
    const medicareCardNumber = "2123456701";
    const details = { ...PATIENT, firstName: "ADA", phone: "0498765432", medicareCardNumber };
    await putSavedPatient(ledger.ports, { ...as(CUSTOMER), id: randomUUID(), details });
    for (const requestId of [first, second])
      expect(await keepGivenPatient(ledger.ports, { ...as(CUSTOMER), requestId })).toMatchObject({
        kind: "saved",
        saved: { patient: PATIENT, medicare: { medicareCardNumber } },
      });
    expect(await namesOf()).toEqual(["Citizen"]);
  });

  test("are kept by their buyer alone", async () => {
    const requestId = await readyRequest(db, ledger.shop);
    const take = (customerId: CustomerId) =>
      keepGivenPatient(ledger.ports, { ...as(customerId), requestId });
    expect(await take(OTHER)).toEqual({ kind: "not_found" });
    await db.pool.query("UPDATE referral_requests SET owner = 'patient' WHERE id = $1", [
      requestId,
    ]);
    expect(await take(CUSTOMER)).toEqual({ kind: "not_found" });
    expect([await namesOf(OTHER), await namesOf()]).toEqual([[], []]);
  });
});

describe("the answer to a data request", () => {
  test("has the customer's saved patients, and loses one that the customer deletes", async () => {
    const id = await keep("Canary-Deleted");
    await keep("Canary-Kept");
    await keep("Canary-Stranger", OTHER);
    const inboxId = await asked("customer_data_requested");
    expect(await perform(inboxId)).toMatchObject({ kind: "done", receipt: { savedPatients: 2 } });
    expect(await download(inboxId)).toMatch(/Canary-Deleted.*Canary-Kept/s);
    expect(await download(inboxId)).not.toContain("Canary-Stranger");
    expect(await deleteSavedPatient(ledger.ports, { ...as(OTHER), id })).toBe(false);
    expect(await deleteSavedPatient(ledger.ports, { ...as(CUSTOMER), id })).toBe(true);
    expect(await everythingOpened()).not.toContain("Canary-Deleted");
    await perform(inboxId);
    const again = await download(inboxId);
    expect(again).toContain("Canary-Kept");
    expect(again).not.toContain("Canary-Deleted");
  });
});

test("a customer's own export has their saved patients, with who opened them", async () => {
  await keep("Canary-Mine");
  await keep("Canary-Stranger", OTHER);
  const texts = await textsOf(await exportEverything(ledger.ports, as(CUSTOMER)));
  const { savedPatients } = JSON.parse(texts["details.json"] ?? "");
  expect(savedPatients).toMatchObject([
    {
      details: { lastName: "Canary-Mine", dob: PATIENT.dob },
      medicare: null,
      accesses: [{ what: "saved_patient_viewed" }, { what: "saved_patient_added" }],
    },
  ]);
  expect(JSON.stringify(texts)).not.toContain("Canary-Stranger");
});

describe("a patient who asks the shop", () => {
  test("has the copy that the buyer keeps taken along and deleted, and no other person's", async () => {
    const requestId = await readyRequest(db, ledger.shop);
    await keep(PATIENT.lastName);
    await keep("Canary-Other-Person");
    await keep(PATIENT.lastName, OTHER);
    const actor = "staff:9" as const;
    const target = { shop: ledger.shop, orderId: gid("Order", 1001), requestId, actor };
    const taken = await exportForPatient(ledger.ports, { ...target, caseNumber: null });
    if (taken.kind !== "opened") return expect.unreachable(taken.kind);
    const details = (await textsOf(taken.files))["details.json"] ?? "";
    expect(JSON.parse(details).savedPatients).toMatchObject([{ details: PATIENT }]);
    expect(details).not.toContain("Canary-Other-Person");
    expect(await eraseForPatient(ledger.ports, target)).toEqual({ kind: "erased" });
    expect(await namesOf()).toEqual(["Canary-Other-Person"]);
    expect(await namesOf(OTHER)).toEqual([PATIENT.lastName]);
  });
});

describe("an erasure", () => {
  test("of a customer destroys theirs with the keys, and nobody else's", async () => {
    await keep("Canary-Mine");
    await keep("Canary-Stranger", OTHER);
    const inboxId = await asked("customer_redacted");
    expect(await perform(inboxId)).toMatchObject({ kind: "done", receipt: { savedPatients: 1 } });
    expect(await namesOf()).toEqual([]);
    expect(await namesOf(OTHER)).toEqual(["Canary-Stranger"]);
    expect(await keysLeft()).toBe(1);
    expect(await everythingOpened()).not.toContain("Canary-Mine");
  });

  test("of a shop leaves nothing", async () => {
    await keep("Canary-Mine");
    await db.tenancy.inShop(ledger.shop, (t) => t.shops.uninstall(ledger.clock.now()));
    ledger.clock.advance(1);
    expect(await perform(await asked("shop_redacted"))).toMatchObject({
      kind: "done",
      receipt: { saved_patients: 1 },
    });
    const { rows } = await db.pool.query("SELECT FROM saved_patients WHERE shop = $1", [
      ledger.shop,
    ]);
    expect([rows, await keysLeft()]).toEqual([[], 0]);
  });

  test("is done again in a database that was restored", async () => {
    await keep("Canary-Erased");
    await keep("Canary-Kept");
    const { rows } = await db.pool.query<{ key_id: string }>(
      "SELECT key_id FROM saved_patients WHERE shop = $1 ORDER BY created_at, id",
      [ledger.shop],
    );
    const all = (await listSavedPatients(ledger.ports, as(CUSTOMER))) ?? [];
    const at = all.findIndex(({ patient }) => patient.lastName === "Canary-Erased");
    const none = { requestIds: [], orderIds: [], exportIds: [], customerIds: [] };
    const savedPatientKeys = [rows[at]?.key_id ?? ""];
    const erasureNotes = {
      of: async () => ({ shopErasedAt: null, ...none, savedPatientKeys, damaged: [] }),
    };
    await replayErasures({ ...ledger.ports, ...run.ports(), erasureNotes }, { shop: ledger.shop });
    expect(await namesOf()).toEqual(["Canary-Kept"]);
  });
});

test("one whose key a restored database lacks is as good as gone, and keeps nobody from the others", async () => {
  const gone = await keep("Canary-Erased");
  await keep("Canary-Kept");
  await db.pool.query(
    `DELETE FROM data_keys k USING saved_patients p
     WHERE p.shop = $1 AND p.id = $2 AND k.shop = p.shop AND k.subject = 'patient ' || p.key_id`,
    [ledger.shop, gone],
  );
  db.sealers.forgetAll();
  expect(await namesOf()).toEqual(["Canary-Kept"]);
  expect(await findSavedPatient(ledger.ports, { ...as(CUSTOMER), id: gone })).toBeNull();
});

test("retention ends what was neither saved nor used for so long", async () => {
  const { clock, ports, shop } = ledger;
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setRetention(12));
  const unused = await keep("Unused");
  const used = await keep("Used");
  clock.advance(300 * 86_400_000);
  await markSavedPatientUsed(ports, { ...as(OTHER), id: unused });
  await markSavedPatientUsed(ports, { ...as(CUSTOMER), id: used });
  expect(await redactExpired(ports, shop)).toBe(0);
  clock.advance(100 * 86_400_000);
  expect(await redactExpired(ports, shop)).toBe(1);
  expect([await namesOf(), await keysLeft()]).toEqual([["Used"], 1]);
  clock.advance(300 * 86_400_000);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setRetention(24));
  expect(await redactExpired(ports, shop)).toBe(0);
});

test("nobody is kept from a test whose data is being erased at that moment", async () => {
  const { shop, ports } = ledger;
  const requestId = await readyRequest(db, shop);
  const erasure = await whoHoldsRequest(db, requestId);
  await erasure.change(
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    `${shop} saved patients ${CUSTOMER}`,
  );
  const keeping = keepGivenPatient(ports, { ...as(CUSTOMER), requestId });
  await untilWaiting(db, 1, keeping);
  await erasure.change(
    "UPDATE referral_requests SET patient_sealed = NULL, redacted_at = now() WHERE id = $1",
    requestId,
  );
  await erasure.end();
  expect(await keeping).toEqual({ kind: "not_found" });
  expect(await namesOf()).toEqual([]);
});
