import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { PATIENT } from "../../../test/database/seed.ts";
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
  const { save, stored, told } = await refusedChild();
  const refused = await save("2020-02-29");
  expect(refused).toMatchObject({ kind: "invalid", errors: [{ field: "dob" }] });
  expect(JSON.stringify(refused)).toContain("contact the shop to cancel and refund it");
  expect(await stored()).toEqual([
    { state: "awaiting_details", review_code: "under_age", sealed: false },
  ]);

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
