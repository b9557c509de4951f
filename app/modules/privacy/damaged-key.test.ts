import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { CUSTOMER, privacyRun } from "../../../test/database/privacy-run.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import { type ExportedFile, exportEverything } from "../access/export-everything.ts";
import { nameSavedPatients, putSavedPatient } from "../access/saved-patients.ts";
import { gid } from "../kernel/ids.ts";
import { deleteSavedPatient } from "./delete-saved-patient.ts";
import { eraseForPatient } from "./erase-own-data.ts";
import { exportForPatient } from "./export-for-patient.ts";

const db = await openTestDatabase();
const { start, asked, perform, find, wholeStory } = privacyRun(db);
const ORDER = gid("Order", 1001);
let ledger: Ledger;

beforeEach(async () => {
  ledger = await start();
});

/** The key of a request as a fault of the disk leaves it: it is there, and opens nothing. */
async function damageKey(requestId: string) {
  const { rowCount } = await db.pool.query(
    `UPDATE data_keys SET wrapped_key = decode(repeat('00', length(wrapped_key)), 'hex')
     WHERE shop = $1 AND subject = $2`,
    [ledger.shop, `request ${requestId}`],
  );
  expect(rowCount).toBe(1);
  db.sealers.forget(ledger.shop);
}

test("erases a customer whose key is damaged", async () => {
  const id = await wholeStory("canary-1");
  await damageKey(id);
  const orderIds = [ORDER];
  expect(await perform(await asked("customer_redacted", { orderIds }))).toMatchObject({
    kind: "done",
    receipt: { requests: 1 },
  });
  expect((await find(id)).request?.redactedAt).not.toBeNull();
});

test.each([
  ["the test’s own", (id: string) => `request ${id}`],
  ["the saved copy’s", () => null],
])(
  "tells staff which erased test’s saved copies can't be compared when %s key is damaged",
  async (_, subjectOf) => {
    const id = await wholeStory("canary-1");
    const { shop } = ledger;
    const viewer = { kind: "customer", customerId: CUSTOMER } as const;
    await db.pool.query("UPDATE referral_requests SET customer_id = $2 WHERE shop = $1", [
      ...[shop, CUSTOMER],
    ]);
    const owner = { staff: "staff:7", name: "Robin", isAccountOwner: true } as const;
    await db.tenancy.inShop(shop, (tenant) => tenant.staff.identify(owner, ledger.clock.now()));
    const copy = { shop, viewer, id: randomUUID(), details: PATIENT };
    expect(await putSavedPatient(ledger.ports, copy)).toMatchObject({ kind: "saved" });
    await db.pool.query(
      `UPDATE data_keys SET wrapped_key = decode(repeat('00', length(wrapped_key)), 'hex')
     WHERE shop = $1 AND (subject = $2 OR $2 IS NULL AND subject LIKE 'patient %')`,
      [shop, subjectOf(id)],
    );
    db.sealers.forget(shop);
    const target = { shop, orderId: ORDER, requestId: id, actor: "staff:7" } as const;
    expect(await eraseForPatient(ledger.ports, target)).toEqual({ kind: "erased", unmatched: 1 });
    const told = await db.tenancy.inShop(shop, ({ timeline }) => timeline.forOrder(ORDER));
    const [entry] = told.filter(({ kind }) => kind === "copies_unread");
    expect(entry).toMatchObject({ requestId: id, actor: "staff:7", detail: { count: 1 } });
  },
);

test("erases for staff the data of a patient whose key is damaged", async () => {
  const id = await wholeStory("canary-1");
  await db.pool.query("UPDATE referral_requests SET customer_id = $2 WHERE shop = $1", [
    ...[ledger.shop, CUSTOMER],
  ]);
  await db.tenancy.inShop(ledger.shop, (tenant) =>
    tenant.staff.identify(
      { staff: "staff:7", name: "Robin", isAccountOwner: true },
      ledger.clock.now(),
    ),
  );
  await damageKey(id);
  const target = { shop: ledger.shop, orderId: ORDER, requestId: id, actor: "staff:7" } as const;
  expect(await eraseForPatient(ledger.ports, target)).toEqual({ kind: "erased" });
  expect((await find(id)).request?.redactedAt).not.toBeNull();
});

test("gives a customer what can be read, and says which part cannot", async () => {
  const damaged = await wholeStory("canary-1");
  const sound = await wholeStory("canary-2", 1002);
  await damageKey(damaged);
  const inboxId = await asked("customer_data_requested");
  expect(await perform(inboxId)).toMatchObject({ kind: "done", receipt: { requests: 2 } });
  const unreadable = expect.objectContaining({ isUnreadable: true });
  const held = await db.tenancy.inShop(ledger.shop, (tenant) =>
    tenant.privacy.gather({ customerId: CUSTOMER, orderIds: [] }, new Map()),
  );
  expect(held.held).toMatchObject({
    requests: expect.arrayContaining([
      expect.objectContaining({ id: damaged, details: unreadable }),
      expect.objectContaining({
        id: sound,
        details: expect.objectContaining({ patient: expect.anything() }),
      }),
    ]),
    documents: expect.arrayContaining([
      expect.objectContaining({ requestId: damaged, isUnreadable: true }),
      expect.objectContaining({ requestId: sound, pdf: expect.any(String) }),
    ]),
  });
});

const SHOPPER = { kind: "customer", customerId: CUSTOMER } as const;

/** Makes the customer the buyer of every test, and a member of staff the owner of the store. */
async function ownedByCustomer() {
  const { shop, clock } = ledger;
  await db.pool.query("UPDATE referral_requests SET customer_id = $2 WHERE shop = $1", [
    ...[shop, CUSTOMER],
  ]);
  const owner = { staff: "staff:7", name: "Robin", isAccountOwner: true } as const;
  await db.tenancy.inShop(shop, (tenant) => tenant.staff.identify(owner, clock.now()));
}

/** Keeps somebody for the customer, and damages the key of their details. */
async function damagedCopy(): Promise<string> {
  const { shop, ports } = ledger;
  const id = randomUUID();
  await putSavedPatient(ports, { shop, viewer: SHOPPER, id, details: PATIENT });
  await db.pool.query(
    `UPDATE data_keys SET wrapped_key = decode(repeat('00', length(wrapped_key)), 'hex')
     WHERE shop = $1 AND subject LIKE 'patient %'`,
    [shop],
  );
  db.sealers.forget(shop);
  return id;
}

async function textsOf(files: AsyncGenerator<ExportedFile>): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { name, content } of files) texts[name] = content.toString();
  return texts;
}

test("staff give a patient what can be read of a test, and the download says what can't", async () => {
  const id = await wholeStory("canary-1");
  await ownedByCustomer();
  await damagedCopy();
  await damageKey(id);
  const asked = { shop: ledger.shop, orderId: ORDER, requestId: id, actor: "staff:7" } as const;
  const outcome = await exportForPatient(ledger.ports, { ...asked, caseNumber: null });
  const texts = await textsOf(outcome.kind === "opened" ? outcome.files : expect.unreachable());
  const readme = texts["README.txt"] ?? "";
  expect(readme).toContain("We can't read these at the moment:\r\norder 1001, Iron studies\r\n");
  expect(readme).toContain("\r\ndetails saved for next tests\r\n");
  const details = JSON.parse(texts["details.json"] ?? "");
  expect(details.tests).toMatchObject([{ test: "Iron studies", isUnreadable: true }]);
  expect(JSON.stringify(texts)).not.toContain("canary");
});

test("a customer downloads everything that can be read, and reads what can't", async () => {
  const damaged = await wholeStory("canary-1");
  await wholeStory("canary-2", 1002);
  await ownedByCustomer();
  await damageKey(damaged);
  const all = { shop: ledger.shop, viewer: SHOPPER };
  const texts = await textsOf(await exportEverything(ledger.ports, all));
  expect(texts["README.txt"]).toContain("order 1001");
  expect(texts["README.txt"]).not.toContain("order 1002");
  expect(texts["README.txt"]).not.toContain("details saved for next tests");
  expect(texts["details.json"]).toContain("canary-2");
  expect(JSON.stringify(texts)).not.toMatch(/(patient|result|pdf) canary-1/);
});

test("a customer sees and deletes a saved person whose key is damaged", async () => {
  const { shop, ports } = ledger;
  const id = await damagedCopy();
  const names = () => nameSavedPatients(ports, { shop, viewer: SHOPPER });
  expect(await names()).toMatchObject({ people: [{ id, person: null }] });
  expect(await deleteSavedPatient(ports, { shop, viewer: SHOPPER, id })).toBe(true);
  expect(await names()).toMatchObject({ people: [] });
  expect(await deleteSavedPatient(ports, { shop, viewer: SHOPPER, id })).toBe(false);
});
