import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { readPractitioners, savePractitioner } from "../../modules/catalogue/keep-practitioners.ts";
import { applyPractitioner } from "./apply-practitioner.ts";

const db = await openTestDatabase();
const ports = { tenancy: db.tenancy, clock: { now: () => START } };
const DOCTOR = { label: "Carlton", name: "Dr Raman", address: "12 Collins St" };
const providerNumber = "2426621B";
const seen = JSON.stringify(DOCTOR);

async function start() {
  const shop = await installedShop(db);
  const practitioner = { ...DOCTOR, providerNumber };
  await savePractitioner(ports, { shop, practitioner, isNew: true, actor: "staff:1" });
  return {
    change: async (fields: Partial<typeof DOCTOR>, intent = "change") => {
      const form = new FormData();
      const all = { ...DOCTOR, providerNumber, key: providerNumber, seen, intent, ...fields };
      for (const [name, value] of Object.entries(all)) form.set(name, value);
      const answer = await applyPractitioner(ports, { shop, actor: "staff:1" }, form);
      const { errors, toast, toastIsError } = answer.data;
      return { ...errors, ...(toastIsError ? { toast } : {}) };
    },
    stored: async () =>
      (await readPractitioners(ports, shop)).map(({ label, name, address }) => ({
        label,
        name,
        address,
      })),
  };
}

test("keeps what somebody else changed of a practitioner since the page was opened", async () => {
  const { change, stored } = await start();
  expect(await change({ address: "1 New St" })).toEqual({});
  expect(await change({ name: "Dr P. Raman" })).toEqual({});
  expect(await stored()).toEqual([{ label: "Carlton", name: "Dr P. Raman", address: "1 New St" }]);
  expect(await change({ address: "9 Old Rd" })).toEqual({
    changedMeanwhile: expect.stringContaining("1 New St"),
  });
  expect((await stored())[0]?.address).toBe("1 New St");
  // The second press of the button.
  expect(await change({ address: "1 New St" })).toEqual({});
});

test("brings nobody back whom somebody else removed", async () => {
  const { change, stored } = await start();
  expect(await change({}, "remove")).toEqual({});
  expect(await change({ address: "1 New St" })).toEqual({
    toast: "Nothing was saved: somebody removed this practitioner meanwhile.",
  });
  expect(await stored()).toEqual([]);
});
