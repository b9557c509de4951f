import { expect, test } from "vitest";
import { countJourneys } from "../../../test/database/count-statements.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER } from "../../../test/database/invitation.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { mapVariant, PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { gid } from "../kernel/ids.ts";
import { reconcileOrder } from "../orders/reconcile-order.ts";
import { createReferral } from "../referrals/create-referral.ts";
import { refetchWhenDue } from "../referrals/refetch-when-due.ts";
import { savePatientDetails } from "./save-patient-details.ts";

const db = await openTestDatabase();

/** Each of them is a wait for whoever's database is far away (docs/decisions/0136). */
test("an order goes to the database and back few times on its way to its form", async () => {
  const { ports, shop, clock, service } = await startLedger(db);
  await mapVariant(db, shop, gid("ProductVariant", 1));
  const order = storeOrder({ customerId: gid("Customer", 7) });
  const storeOrders = { read: async () => order };
  const reading = await countJourneys(async () => {
    const outcome = await reconcileOrder({ ...ports, storeOrders }, { shop, orderId: order.id });
    expect(outcome).toMatchObject({ kind: "reconciled", opened: 1 });
  });
  const [request] = await db.tenancy.inShop(shop, (t) => t.requests.forOrder(order.id));
  const requestId = request?.id ?? "";
  const details = { ...PATIENT, email: "other@example.com", consent: true };
  const saving = await countJourneys(async () => {
    const outcome = await savePatientDetails(ports, { shop, viewer: BUYER, requestId, details });
    expect(outcome).toMatchObject({ kind: "saved" });
  });
  clock.advance(1_000);
  const ordering = await countJourneys(async () => {
    const outcome = await createReferral(ports, { shop, requestId });
    expect(outcome).toMatchObject({ kind: "created" });
  });
  const uuid = String(service.referrals[0]?.uuid);
  clock.advance(1_000);
  const referralAttachment = "https://files.example/form.pdf";
  service.set(uuid, { status: "ISSUED", updatedAt: clock.now().toISOString(), referralAttachment });
  const pdf = { kind: "pdf", bytes: Buffer.from("%PDF-1.4 form") } as const;
  const fetching = await countJourneys(async () => {
    const outcome = await refetchWhenDue(
      { ...ports, attachments: { download: async () => pdf } },
      "refetch-referral",
      { shop, environment: "staging", uuid },
      { retries: 0 },
    );
    expect(outcome).toEqual({ kind: "stored", status: "ISSUED", document: true });
  });
  // One is looked through when a machine is busy: what should have gone with something else went alone.
  expect(reading).toBeLessThanOrEqual(9);
  expect(saving).toBeLessThanOrEqual(6);
  expect(ordering).toBeLessThanOrEqual(12);
  expect(fetching).toBeLessThanOrEqual(11);
});
