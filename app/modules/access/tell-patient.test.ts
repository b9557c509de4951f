import { expect, test } from "vitest";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { gid } from "../kernel/ids.ts";
import { correctReferrals } from "../referrals/correct-referrals.ts";
import { savePatientDetails } from "./save-patient-details.ts";

const db = await openTestDatabase();

/** A buyer who gives somebody else's details, and the addresses that were told so. */
async function givingBuyer() {
  const { ports, shop, id, other, mails, runJobs, clock } = await startInvitation(db);
  const give = async (email: string, requestId = id) => {
    const details = { ...PATIENT, email, consent: true };
    clock.advance(1000);
    await savePatientDetails(ports, { shop, viewer: BUYER, requestId, details });
  };
  const told = async () => {
    await runJobs();
    return mails.filter(({ text }) => text.includes("gave us your details")).map(({ to }) => to);
  };
  return { give, told, other };
}

test("tells the patient at the address that the buyer corrected, since a stranger was told before", async () => {
  const { give, told } = await givingBuyer();
  await give("adda@example.com");
  expect(await told()).toEqual(["adda@example.com"]);
  await give("ada@example.com");
  expect(await told()).toEqual(["adda@example.com", "ada@example.com"]);
  // Other changes are no news to them.
  await give("ADA@example.com");
  expect(await told()).toHaveLength(2);
});

test("tells nobody of an address that was corrected before the email went out", async () => {
  const { give, told } = await givingBuyer();
  await give("adda@example.com");
  await give("ada@example.com");
  expect(await told()).toEqual(["ada@example.com"]);
});

test("tells one person of several tests once", async () => {
  const { give, told, other } = await givingBuyer();
  await give("ada@example.com");
  await give("bo@example.com", other);
  expect(await told()).toEqual(["ada@example.com", "bo@example.com"]);
  await give("ada@example.com", other);
  expect(await told()).toHaveLength(2);
});

test("tells the patient at an address that was corrected after the test was ordered, once it counts", async () => {
  const { shop, ports, requestId, target, takeJobs } = await startCreated(db);
  const order = storeOrder({ customerId: gid("Customer", 7) });
  const told = () =>
    db.tenancy.inShop(shop, (tenant) => tenant.notifications.noted([requestId], "details_given"));
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(order, new Map(), ports.clock.now()),
  );
  const details = { ...PATIENT, email: "right@example.com", consent: true };
  await savePatientDetails(ports, { shop, viewer: BUYER, requestId, details });
  expect(await told()).toEqual([]);
  await takeJobs();
  expect(await correctReferrals(ports, target)).toEqual({ kind: "applied" });
  expect(await told()).toEqual([{ requestId, isSent: false }]);
  expect(await takeJobs()).toContain("send-mail");
});
