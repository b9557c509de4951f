import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { CUSTOMER, privacyRun } from "../../../test/database/privacy-run.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import { putSavedPatient } from "../access/saved-patients.ts";
import { gid } from "../kernel/ids.ts";
import { eraseForPatient } from "./erase-own-data.ts";

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
