import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import { LinkRefused } from "./link-access.ts";
import { savePatientDetails } from "./save-patient-details.ts";

const db = await openTestDatabase();

async function startSaving() {
  const { ports, shop, id, send, enter } = await startInvitation(db);
  const save = (change: object = {}, viewer = BUYER) =>
    savePatientDetails(ports, {
      ...{ shop, viewer, requestId: id },
      details: { ...PATIENT, consent: true, ...change },
    });
  const count = async (text: string) => Number((await db.pool.query(text, [shop, id])).rows[0]?.n);
  const written = async () => ({
    consents: await count("SELECT count(*) AS n FROM consents WHERE shop = $1 AND request_id = $2"),
    saved: await count(
      `SELECT count(*) AS n FROM access_log
         WHERE shop = $1 AND request_id = $2 AND what = 'details_saved'`,
    ),
  });
  const moveTo = (state: "sending" | "ambiguous" | "created") =>
    db.tenancy.inShop(shop, (tenant) => putRequest(tenant, id, { state }));
  /** The patient, by the link of an invitation. */
  const invited = async () => {
    await send();
    return enter();
  };
  return { save, written, moveTo, invited };
}

test("a form that is sent twice at once is saved once, and both are told so", async () => {
  const { save, written } = await startSaving();
  const outcomes = await Promise.all([save(), save()]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["saved", "saved"]);
  expect(await written()).toEqual({ consents: 1, saved: 1 });
});

test.each(["sending", "ambiguous"] as const)(
  "sent again while the test is %s, the same form is told that it is saved; another is too late",
  async (state) => {
    const { save, written, moveTo } = await startSaving();
    await save();
    await moveTo(state);
    expect(await save()).toMatchObject({ kind: "saved" });
    expect(await save({ firstName: "Grace" })).toEqual({ kind: "too_late" });
    expect(await written()).toEqual({ consents: 1, saved: 1 });
  },
);

test.each(["sending", "created"] as const)(
  "sent again by a link when the test is %s, the same form is told that it is saved; another is refused",
  async (state) => {
    const { save, written, moveTo, invited } = await startSaving();
    const patient = await invited();
    expect(await save({}, patient)).toMatchObject({ kind: "saved" });
    await moveTo(state);
    expect(await save({}, patient)).toMatchObject({ kind: "saved" });
    await expect(save({ firstName: "Grace" }, patient)).rejects.toThrow(LinkRefused);
    await expect(save({ consent: false }, patient)).rejects.toThrow(LinkRefused);
    expect(await written()).toEqual({ consents: 1, saved: 1 });
  },
);
