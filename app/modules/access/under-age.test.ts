import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { QUARANTINE_MS, startLedger } from "../../../test/database/ledger.ts";
import { PATIENT, readyRequest } from "../../../test/database/seed.ts";
import { createReferral } from "../referrals/create-referral.ts";
import { resolveAmbiguous } from "../referrals/resolve-ambiguous.ts";
import { savePatientDetails } from "./save-patient-details.ts";

const db = await openTestDatabase();

async function refusedChild() {
  const invitation = await startInvitation(db);
  const { ports, shop, id } = invitation;
  const save = (dob: string) =>
    savePatientDetails(ports, {
      ...{ shop, viewer: BUYER, requestId: id },
      details: { ...PATIENT, dob, consent: true },
    });
  const rows = async (text: string) => (await db.pool.query(text, [shop, id])).rows;
  const stored = () =>
    rows(
      `SELECT state, review_code, patient_sealed IS NOT NULL AS sealed
         FROM referral_requests WHERE shop = $1 AND id = $2`,
    );
  const told = () =>
    rows(
      "SELECT actor, detail FROM timeline WHERE shop = $1 AND request_id = $2 AND kind = 'under_age'",
    );
  return { ...invitation, save, stored, told };
}

test("tells the shop of a child's details, keeps none of them, and goes on with an adult's", async () => {
  const { save, stored, told, seeOne } = await refusedChild();
  expect((await seeOne(BUYER))?.nextStep).toMatch(/^Enter the patient's details/);
  const refused = await save("2020-02-29");
  expect(refused).toMatchObject({ kind: "invalid", errors: [{ field: "dob" }] });
  expect(JSON.stringify(refused)).toContain("contact the shop to cancel and refund it");
  expect(await stored()).toEqual([
    { state: "awaiting_details", review_code: "under_age", sealed: false },
  ]);

  // A parent who comes back later reads it again: nothing is prepared with other details of the child.
  const { state, nextStep } = (await seeOne(BUYER)) ?? {};
  expect(state).toBe("awaiting_details");
  expect(nextStep).toMatch(/under the shop’s minimum age.*contact the shop.*see a GP/);

  // Sent again it is the same news.
  await save("2020-02-29");
  expect(await told()).toEqual([{ actor: "shopper", detail: {} }]);

  expect(await save(PATIENT.dob)).toMatchObject({ kind: "saved" });
  expect(await stored()).toEqual([{ state: "ready", review_code: null, sealed: true }]);
});

test("tells the shop of nothing when the date is impossible or to come", async () => {
  const { save, stored } = await refusedChild();
  for (const dob of ["2020-02-30", "2990-01-01", "2020--01"]) await save(dob);
  expect(await stored()).toEqual([{ state: "awaiting_details", review_code: null, sealed: false }]);
});

test.each(["ready", "held", "rejected"])(
  "a child's date given while the unit is %s takes it back: nothing is ordered with the other one",
  async (state) => {
    const { save, stored, told, ports, target, service } = await ordered();
    await db.pool.query("UPDATE referral_requests SET state = $3 WHERE shop = $1 AND id = $2", [
      ...[target.shop, target.requestId, state],
    ]);
    expect(await save("2020-02-29")).toMatchObject({ kind: "invalid", errors: [{ field: "dob" }] });
    expect(await stored()).toEqual([
      { state: "awaiting_details", review_code: "under_age", sealed: false },
    ]);
    expect(await told()).toBe(1);
    expect(await createReferral(ports, target)).toEqual({ kind: "not_due" });
    expect(service.calls).toEqual([]);
    expect(await save(PATIENT.dob)).toMatchObject({ kind: "saved" });
    expect(await stored()).toEqual([{ state: "ready", review_code: null, sealed: true }]);
  },
);

test("a child's date given as a correction is an item for the shop, until the right one is given", async () => {
  const { save, stored, told, ports, target, service } = await ordered();
  service.next("create");
  await createReferral(ports, target);
  expect(await save("2020-02-29")).toMatchObject({ kind: "invalid", errors: [{ field: "dob" }] });
  expect(await stored()).toEqual([{ state: "created", review_code: "under_age", sealed: true }]);
  expect(await told()).toBe(1);
  expect(await save("1970-02-28")).toMatchObject({ kind: "saved" });
  expect(await stored()).toEqual([{ state: "created", review_code: null, sealed: true }]);
});

test.each([
  ["create", { state: "created", review_code: "under_age", sealed: true }],
  ["reject", { state: "awaiting_details", review_code: "under_age", sealed: false }],
  ["not sent", { state: "awaiting_details", review_code: "under_age", sealed: false }],
  ["reset_before", { state: "ambiguous", review_code: "under_age", sealed: true }],
] as const)(
  "a child's date given while the order is under way is an item for the shop that lasts (%s)",
  async (behaviour, after) => {
    const { save, stored, told, ports, clock, target, service } = await ordered();
    if (behaviour !== "not sent") service.next(behaviour);
    const services: typeof ports.services = {
      ...ports.services,
      async forConnection(...asked) {
        expect(await save("2020-02-29")).toMatchObject({
          kind: "invalid",
          errors: [{ field: "dob", message: expect.stringContaining("contact the shop") }],
        });
        expect(await stored()).toEqual([
          { state: "sending", review_code: "under_age", sealed: true },
        ]);
        return behaviour === "not sent" ? null : ports.services.forConnection(...asked);
      },
    };
    await createReferral({ ...ports, services }, target);
    expect(await stored()).toEqual([after]);
    expect(await told()).toBe(1);
    // An order that proves unsent is not sent with the other date.
    if (after.state === "ambiguous") {
      await save("2020-02-29");
      for (const _ of [1, 2]) {
        clock.advance(QUARANTINE_MS + 60_000);
        await resolveAmbiguous(ports, target);
      }
      expect(await stored()).toEqual([
        { state: "awaiting_details", review_code: "under_age", sealed: false },
      ]);
      expect(await told()).toBe(1);
    }
    const calls = service.calls.length;
    await createReferral(ports, target);
    expect(service.calls).toHaveLength(calls);
  },
);

/** A unit whose details were given, and its customer. */
async function ordered() {
  const { ports, clock, shop, service } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  const save = (dob: string) =>
    savePatientDetails(ports, {
      ...{ shop, viewer: BUYER, requestId },
      details: { ...PATIENT, dob, consent: true },
    });
  const rows = async (text: string) => (await db.pool.query(text, [shop, requestId])).rows;
  const stored = () =>
    rows(
      `SELECT state, review_code, patient_sealed IS NOT NULL AS sealed
       FROM referral_requests WHERE shop = $1 AND id = $2`,
    );
  const told = async () =>
    (
      await rows(
        "SELECT 1 FROM timeline WHERE shop = $1 AND request_id = $2 AND kind = 'under_age'",
      )
    ).length;
  return { save, stored, told, ports, clock, service, target: { shop, requestId } };
}
