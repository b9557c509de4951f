/** Long because it tries every way by which a test could be ordered with a date of birth that was taken back. */
import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER } from "../../../test/database/invitation.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../test/database/ledger.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import { apply } from "../referrals/apply.ts";
import { cancelRequest } from "../referrals/cancel-request.ts";
import { cancelUnit } from "../referrals/cancel-unit.ts";
import { releaseRequest } from "../referrals/release-request.ts";
import { retryRequest } from "../referrals/retry-request.ts";
import { doToOrder } from "../reports/do-to-order.ts";
import { markHandled } from "../reports/mark-handled.ts";
import { savePatientDetails } from "./save-patient-details.ts";

const db = await openTestDatabase();
const CHILD = "2020-02-29";
const OTHER_ADULT = "1970-02-28";

/** A unit that was sent, and what its patient and staff can do about it. */
async function start(options: Parameters<typeof startCreated>[1] = {}) {
  const created = await startCreated(db, options);
  const { shop, ports, clock, requestId, resolve, service } = created;
  const staff = { ...created.target, actor: "staff:7" } as const;
  return {
    ...created,
    save: (dob: string, details: object = {}, id = requestId) =>
      savePatientDetails(ports, {
        ...{ shop, viewer: BUYER, requestId: id },
        details: { ...PATIENT, dob, consent: true, ...details },
      }),
    retry: () => retryRequest(ports, staff),
    release: () => releaseRequest(ports, staff),
    cancel: () => cancelRequest(ports, staff),
    async seek() {
      await resolve();
      clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
      return resolve();
    },
    /** Dates of birth that the service was sent. */
    sent: () => service.calls.map(({ dob }) => dob),
  };
}

/** An order of which nobody knows whether it exists, left to a person. */
async function leftToPerson(options: Parameters<typeof startCreated>[1] = {}) {
  const started = await start({
    behaviour: "reset_before",
    ...options,
    settings: { strictMode: true, ...options.settings },
  });
  expect(await started.seek()).toEqual({ kind: "needs_person" });
  return started;
}

const UNCLEAR = { code: "under_age_unclear", detail: null };
const UNDER_AGE = { code: "under_age", detail: null };

test("a child's date is an item of a test that a person decides about, and Retry sends no other", async () => {
  const { save, retry, create, find, sent, story, requestId } = await leftToPerson();
  expect(await save(CHILD)).toMatchObject({ kind: "invalid", errors: [{ field: "dob" }] });
  expect(await find()).toMatchObject({ state: "ambiguous", reason: UNCLEAR });
  expect(await retry()).toEqual({ kind: "under_age" });
  expect(await find()).toMatchObject({
    ...{ state: "awaiting_details", reason: UNDER_AGE, hasPatient: false },
  });
  expect((await story(requestId)).at(-1)).toBe("retry_under_age");
  expect(await create()).toEqual({ kind: "not_due" });
  expect(sent()).toEqual([PATIENT.dob]);
  // The right one goes on.
  expect(await save(OTHER_ADULT)).toMatchObject({ kind: "saved" });
  expect(await create()).toMatchObject({ kind: "created" });
  expect(sent()).toEqual([PATIENT.dob, OTHER_ADULT]);
});

test("a child's date outlasts that a person is asked later", async () => {
  const { save, retry, seek, create, find, sent } = await start({
    ...{ behaviour: "reset_before", settings: { strictMode: true } },
  });
  await save(CHILD);
  expect(await seek()).toEqual({ kind: "needs_person" });
  expect(await find()).toMatchObject({ state: "ambiguous", reason: UNCLEAR });
  expect(await retry()).toEqual({ kind: "under_age" });
  await create();
  expect(sent()).toEqual([PATIENT.dob]);
});

test("marking the item as handled, or retrying many, sends nothing", async () => {
  const { save, create, find, sent, ports, shop } = await leftToPerson();
  await save(CHILD);
  const request = await find();
  if (!request) throw new Error("no request");
  const { orderId } = request;
  const target = { shop, orderId, actor: "staff:7" } as const;
  await doToOrder(ports, { ...target, action: "retry", isOneOfMany: true });
  await markHandled(ports, { ...target, reason: "under_age_unclear" });
  await create();
  expect(await find()).toMatchObject({ state: "ambiguous" });
  expect(sent()).toEqual([PATIENT.dob]);
});

test("a referral that turns up after a child's date is an item", async () => {
  const { save, find, resolve, service, takeJobs } = await leftToPerson({ behaviour: "late" });
  await save(CHILD);
  service.finishLate();
  await takeJobs();
  expect(await resolve()).toMatchObject({ kind: "linked" });
  expect(await find()).toMatchObject({ state: "created", reason: UNDER_AGE });
});

test("a child's date outlasts a refund that is taken back", async () => {
  const { save, create, resolve, find, sent, shop, clock, requestId } = await leftToPerson({
    settings: { refundPolicy: "automatic" },
  });
  await save(CHILD);
  await db.tenancy.inShop(shop, async (tenant) => {
    const now = clock.now();
    await cancelUnit(tenant, { id: requestId }, { by: "store", actor: "shopify", now });
    await apply(tenant, requestId, { kind: "wanted_again" }, { actor: "shopify", at: now });
  });
  await resolve();
  await create();
  expect(await find()).toMatchObject({ reason: UNCLEAR });
  expect(sent()).toEqual([PATIENT.dob]);
});

test("the details that were ordered with, given again, take a child's date back", async () => {
  const unclear = await leftToPerson();
  await unclear.save(CHILD);
  expect(await unclear.save(PATIENT.dob)).toMatchObject({ kind: "saved" });
  expect(await unclear.find()).toMatchObject({ reason: { code: "ambiguous" } });
  expect(await unclear.retry()).toEqual({ kind: "queued" });
  expect(await unclear.create()).toMatchObject({ kind: "created" });

  const ordered = await start();
  await ordered.save(CHILD);
  expect(await ordered.find()).toMatchObject({ state: "created", reason: UNDER_AGE });
  expect(await ordered.save(PATIENT.dob)).toMatchObject({ kind: "saved" });
  expect(await ordered.find()).toMatchObject({ state: "created", reason: null });
});

test("ordering again after a child's date asks for the details", async () => {
  const { save, cancel, withdraw, reorder, create, find, sent } = await start();
  await save(CHILD);
  expect(await cancel()).toEqual({ kind: "deleting" });
  await withdraw();
  const next = await reorder();
  if (next.kind !== "reordered") throw new Error(next.kind);
  expect(await find(next.requestId)).toMatchObject({
    state: "awaiting_details",
    hasPatient: false,
  });
  expect(await create(next.requestId)).toEqual({ kind: "not_due" });
  expect(sent()).toEqual([PATIENT.dob]);
  expect(await save(OTHER_ADULT, {}, next.requestId)).toMatchObject({ kind: "saved" });
  expect(await create(next.requestId)).toMatchObject({ kind: "created" });
});

test("ordering again what could not be billed asks for the details after a child's date", async () => {
  const { save, become, reorder, create, find, sent } = await start();
  await become({ status: "BILLING_FAILED" });
  await save(CHILD);
  await become({ status: "ISSUED" });
  await save(CHILD);
  await become({ status: "BILLING_FAILED" });
  const next = await reorder();
  if (next.kind !== "reordered") throw new Error(next.kind);
  expect(await find(next.requestId)).toMatchObject({ state: "awaiting_details", reason: null });
  await create(next.requestId);
  expect(sent()).toEqual([PATIENT.dob]);
});

const medicare = { medicareCardNumber: "2123456701" };

test("the other part of a Medicare order is not sent with a date that was taken back", async () => {
  const { save, seek, service, create, retry, find, sent } = await start({
    ...{ items: BOTH_PARTS, behaviour: "create_half" },
  });
  await seek();
  service.next("reject");
  await create();
  expect(await find()).toMatchObject({ state: "created", reason: { code: "half_rejected" } });
  expect(await save(CHILD, medicare)).toMatchObject({ kind: "invalid" });
  expect(await find()).toMatchObject({ state: "created", reason: UNDER_AGE });
  expect(await retry()).toEqual({ kind: "not_retryable" });
  await create();
  expect(sent()).toEqual([PATIENT.dob, PATIENT.dob]);
  // With the right one a person sends it.
  expect(await save(OTHER_ADULT, medicare)).toMatchObject({ kind: "saved" });
  expect(await find()).toMatchObject({ state: "created", reason: { code: "half_created" } });
  expect(await retry()).toEqual({ kind: "queued" });
  expect(await create()).toMatchObject({ kind: "created" });
  expect(sent()).toEqual([PATIENT.dob, PATIENT.dob, OTHER_ADULT]);
});

test.each(["ready", "held", "ambiguous"])(
  "a part that waits (%s) is not released with a date that was taken back",
  async (state) => {
    const { save, seek, create, release, retry, find, sent, requestId } = await start({
      ...{ items: BOTH_PARTS, behaviour: "create_half", settings: { strictMode: true } },
    });
    expect(await seek()).toEqual({ kind: "needs_person" });
    if (state !== "ambiguous") await retry();
    if (state === "held")
      await db.pool.query("UPDATE referral_requests SET state = 'held' WHERE id = $1", [requestId]);
    expect(await save(CHILD, medicare)).toMatchObject({ kind: "invalid" });
    if (state === "ambiguous") expect(await retry()).toEqual({ kind: "under_age" });
    expect(await release()).toEqual({ kind: "not_held" });
    expect(await create()).toEqual({ kind: "not_due" });
    expect(await find()).toMatchObject({
      ...{ state: "created", missingPart: "medicare", reason: UNDER_AGE, hasPatient: true },
    });
    expect(sent()).toEqual([PATIENT.dob]);
  },
);
