import { expect, test } from "vitest";
import { correctionsOf } from "../../../../test/database/corrections.ts";
import { BOTH_PARTS, CARD, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { DAY_MS, mailRun } from "../../../../test/database/mail-run.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { PATIENT, storeOrder } from "../../../../test/database/seed.ts";
import { viewerLink } from "../../../../test/database/viewer-link.ts";
import { savePatientDetails } from "../../access/save-patient-details.ts";
import { gid } from "../../kernel/ids.ts";
import { cancelRequest } from "../cancel-request.ts";
import { correctReferrals } from "../correct-referrals.ts";

const db = await openTestDatabase();
const CORRECTED = { ...PATIENT, lastName: "Citizen-Smith", consent: true };
const LINE = gid("LineItem", 1);
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;

/** A referral whose patient's details were corrected afterwards; nobody has told the service yet. */
async function start(items = BOTH_PARTS) {
  const created = await startCreated(db, { items });
  const { shop, ports, target, requestId, service } = created;
  const give = (id: string, details: object = CORRECTED) =>
    savePatientDetails(ports, { shop, viewer, requestId: id, details });
  await give(requestId);
  return {
    ...created,
    give,
    pass: () => correctReferrals(ports, target),
    /** The service takes no correction any more. */
    refuse: async () => {
      for (const uuid of created.uuids()) service.set(uuid, { status: "TRANSFERRED" });
      expect(await correctReferrals(ports, target)).toEqual({ kind: "refused" });
    },
    async cancelAndReorder(): Promise<string> {
      await cancelRequest(ports, { ...target, actor: "staff:7" });
      await created.withdraw();
      await created.takeJobs();
      return reordered(created);
    },
    patientOf: (id: string) => db.tenancy.inShop(shop, (tenant) => tenant.requests.patientOf(id)),
    corrections: () => correctionsOf(db, shop),
  };
}

async function reordered({ reorder }: Pick<Awaited<ReturnType<typeof startCreated>>, "reorder">) {
  const outcome = await reorder();
  if (outcome.kind !== "reordered") throw new Error(outcome.kind);
  return outcome.requestId;
}

test("after a correction that was refused, the shopper is asked for the details", async () => {
  const { refuse, cancelAndReorder, patientOf, find, create, give, takeJobs, service, ...rest } =
    await start();
  const { shop, clock } = rest;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder(), new Map(), clock.now()),
  );
  await refuse();
  const next = await cancelAndReorder();
  expect(await find(next)).toMatchObject({
    state: "awaiting_details",
    hasPatient: false,
    consentAt: null,
  });
  expect(await patientOf(next)).toBeNull();
  expect(await create(next)).toEqual({ kind: "not_due" });
  const { mails, runJobs } = mailRun(db, shop, clock);
  await runJobs();
  expect(mails.map(({ to }) => to)).toEqual(["sam@example.com"]);
  await takeJobs();
  await give(next, { ...CORRECTED, ...CARD });
  expect(await create(next)).toMatchObject({ kind: "created" });
  expect(service.calls[1]).toMatchObject({ lastName: "Citizen-Smith" });
});

test("the patient of a unit that was handed over is asked for them, and the merchant told when nobody answers", async () => {
  const { refuse, cancelAndReorder, find, create, takeJobs, shop, clock, requestId, ports } =
    await start();
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(storeOrder(), new Map(), clock.now());
    await putRequest(tenant, requestId, { state: "ready" });
    await tenant.requests.recordInvitation(requestId, "pat@example.com", clock.now());
    await tenant.requests.claim(requestId, clock.now());
    const details = { patient: PATIENT, medicare: CARD };
    await tenant.requests.savePatient(requestId, details, clock.now());
    await putRequest(tenant, requestId, { state: "created" });
  });
  await refuse();
  clock.advance(DAY_MS);
  await takeJobs();
  const next = await cancelAndReorder();
  expect(await find(next)).toMatchObject({ state: "awaiting_details", owner: "patient" });
  const { mails, runJobs } = mailRun(db, shop, clock);
  await runJobs();
  expect(mails.map(({ to }) => to)).toEqual(["pat@example.com"]);
  const settings = await db.tenancy.inShop(shop, (tenant) => tenant.shops.find());
  clock.advance((settings?.detailsEndDays ?? 0) * DAY_MS);
  await runJobs();
  expect(await find(next)).toMatchObject({
    reviewReason: { code: "details_overdue", detail: null },
  });
  expect(mails).toHaveLength(1);
  const patient = {
    kind: "patient",
    orderId: gid("Order", 1001),
    lineItemId: LINE,
    unit: 1,
    link: viewerLink("details"),
  } as const;
  const details = { ...CORRECTED, ...CARD };
  await savePatientDetails(ports, { shop, viewer: patient, requestId: next, details });
  expect(await create(next)).toMatchObject({ kind: "created" });
});

test("a correction that nobody has passed on yet is what is ordered with", async () => {
  const { cancelAndReorder, patientOf, find, create, pass, service, corrections, story } =
    await start();
  const next = await cancelAndReorder();
  expect(await find(next)).toMatchObject({ state: "ready", hasPatient: true });
  expect(await patientOf(next)).toMatchObject({
    patient: { lastName: "Citizen-Smith" },
    medicare: CARD,
  });
  expect(await create(next)).toMatchObject({ kind: "created" });
  expect(service.calls[1]).toMatchObject({ lastName: "Citizen-Smith" });
  // It is where it belongs now, and nowhere else.
  expect(await corrections()).toEqual([{ state: "superseded", sealed: null }]);
  expect(await pass()).toEqual({ kind: "nothing_to_correct" });
  expect(service.patches).toEqual([]);
  expect(await story(next)).not.toContain("correction_passed_on");
});

test("of a Medicare order of which one referral stands, that one gets the correction as well", async () => {
  const created = await start();
  const { service, patientOf, pass, refetch } = created;
  const failed = created.uuids()[0] ?? "";
  service.set(failed, { status: "BILLING_FAILED" });
  await refetch();
  const next = await reordered(created);
  expect(await patientOf(next)).toMatchObject({ patient: { lastName: "Citizen-Smith" } });
  expect(await pass()).toEqual({ kind: "applied" });
  expect(service.patches).toMatchObject([
    { uuid: created.uuids()[1], body: { lastName: "Citizen-Smith" } },
  ]);
});

test("a correction that was taken after one that was refused is carried over", async () => {
  const { refuse, pass, become, give, requestId, cancelAndReorder, patientOf, find } =
    await start();
  await refuse();
  await become({ status: "ISSUED" });
  await give(requestId, { ...CORRECTED, lastName: "Third" });
  expect(await pass()).toEqual({ kind: "applied" });
  const next = await cancelAndReorder();
  expect(await find(next)).toMatchObject({ state: "ready" });
  expect(await patientOf(next)).toMatchObject({ patient: { lastName: "Third" } });
});

test("carries details over as before that were never corrected", async () => {
  const created = await startCreated(db);
  await created.become({ status: "BILLING_FAILED" });
  const next = await reordered(created);
  const before = await created.find();
  expect(await created.find(next)).toMatchObject({
    state: "ready",
    consentAt: before?.consentAt,
  });
});
