import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { nameAndInitial } from "../patients/person-name.ts";

const db = await openTestDatabase();

test("tells two units of a line apart by their number, and by the patient once one is named", async () => {
  const { see, give, id } = await startInvitation(db);
  const before = await see(BUYER);
  expect(before.map(({ patientName, unit }) => [patientName, unit])).toEqual([
    [null, { number: 1, of: 2 }],
    [null, { number: 2, of: 2 }],
  ]);

  await give(BUYER, id);
  const after = await see(BUYER);
  expect(after.find((one) => one.id === id)?.patientName).toMatch(/^\S+ \p{Lu}\.$/u);
  expect(after.find((one) => one.id !== id)?.patientName).toBeNull();
});

test("keeps an invited patient's name from the buyer", async () => {
  const { see, seeOne, send, enter, give, id } = await startInvitation(db);
  await send();
  const patient = await enter();
  await give(patient);
  expect((await seeOne(BUYER))?.patientName).toBeNull();
  expect((await see(patient)).map((one) => [one.id, one.unit])).toEqual([
    [id, { number: 1, of: 2 }],
  ]);
  expect((await seeOne(patient))?.patientName).not.toBeNull();
});

test.each([
  [{ firstName: "Ngaire", lastName: "walsh" }, "Ngaire W."],
  [{ firstName: "Ann-Marie", lastName: "Öberg" }, "Ann-Marie Ö."],
  [{ firstName: "Suharto", lastName: "" }, "Suharto"],
  [{ firstName: "Onlyname", lastName: "Suharto" }, "Suharto"],
])("shortens %o", (name, short) => {
  expect(nameAndInitial(name)).toBe(short);
});
