import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { newRequest, PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { gid } from "../kernel/ids.ts";
import { aboutsOf } from "../notifications/notifications/mail-facts.ts";
import { nameAndInitial } from "../patients/person-name.ts";
import { documentFileName } from "./document-file-name.ts";
import { invitePatient } from "./invite-patient.ts";
import { savePatientDetails } from "./save-patient-details.ts";
import type { Viewer } from "./viewer.ts";
import { NOBODY, whoseTests } from "./whose-test.ts";

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

const ANA_WALSH = { ...PATIENT, firstName: "Ana", lastName: "Walsh", dob: "1971-02-03" };

test.each([
  ["Ana W.", "Bo W.", { firstName: "Bo" }],
  ["Ana Walsh", "Ana Webb", { lastName: "Webb" }],
  ["Ana W. (born 1971)", "Ana W. (born 1998)", { dob: "1998-05-06" }],
  // One person with two tests is told apart by the number of the test.
  ["Ana W.", "Ana W.", {}],
])("tells %s from %s, whom the same buyer has in the order", async (one, next, other) => {
  const world = await startInvitation(db);
  await saving(world)(BUYER, world.id, ANA_WALSH);
  await saving(world)(BUYER, world.other, { ...ANA_WALSH, ...other });
  const names = new Map((await world.see(BUYER)).map((unit) => [unit.id, unit.patientName]));
  expect([names.get(world.id), names.get(world.other)]).toEqual([one, next]);
  // A card by itself, as a mail, says the same as among others.
  expect((await world.seeOne(BUYER))?.patientName).toBe(one);
});

test("tells namesakes of two orders of one account apart, on their cards and files", async () => {
  const world = await startInvitation(db);
  const { shop, ports, id } = world;
  const order = storeOrder({ id: gid("Order", 99), customerId: gid("Customer", 7) });
  const later = newRequest(shop, order);
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), ports.clock.now());
    await tenant.requests.add([later], ports.clock.now());
  });
  await saving(world)(BUYER, id, ANA_WALSH);
  await saving(world)(BUYER, later.id, { ...ANA_WALSH, dob: "1998-05-06" });
  const names = new Map((await world.see(BUYER)).map((unit) => [unit.id, unit.patientName]));
  expect([names.get(id), names.get(later.id)]).toEqual([
    "Ana W. (born 1971)",
    "Ana W. (born 1998)",
  ]);
  // A card by itself says the same.
  expect((await world.seeOne(BUYER))?.patientName).toBe("Ana W. (born 1971)");
  // An email names its order, and no year of birth because of another order.
  const inMail = await db.tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(id);
    return request && (await whoseTests(tenant, [request])).get(id)?.patientName;
  });
  expect(inMail).toBe("Ana W.");
});

test("tells neither a buyer nor a patient that the other one's namesake exists", async () => {
  const world = await startInvitation(db);
  await world.send();
  const patient = await world.enter();
  await saving(world)(patient, world.id, ANA_WALSH);
  await saving(world)(BUYER, world.other, { ...ANA_WALSH, lastName: "Webb" });
  expect((await world.see(patient)).map(({ patientName }) => patientName)).toEqual(["Ana W."]);
  const seen = (await world.see(BUYER)).map(({ patientName }) => patientName);
  expect(seen.toSorted()).toEqual(["Ana W.", null]);
});

const saving =
  ({ ports, shop }: Awaited<ReturnType<typeof startInvitation>>) =>
  async (viewer: Viewer, requestId: string, patient: typeof PATIENT) => {
    const details = { ...patient, consent: true };
    const outcome = await savePatientDetails(ports, { shop, viewer, requestId, details });
    expect(outcome).toMatchObject({ kind: "saved" });
  };

test("gives a test one number on cards, in emails and in names of files, whatever its product is called", async () => {
  const world = await startInvitation(db);
  const { shop, id, other } = world;
  await db.pool.query(
    "UPDATE referral_requests SET title = 'Thyroid check' WHERE shop = $1 AND id = $2",
    [shop, other],
  );
  const cards = new Map((await world.see(BUYER)).map((one) => [one.id, one]));
  expect([cards.get(id), cards.get(other)].map((card) => card?.inOrder.number)).toEqual([1, 2]);
  // The interface's own number is that among the units of one product, as before.
  expect([cards.get(id), cards.get(other)].map((card) => card?.unit)).toEqual([
    { number: 1, of: 1 },
    { number: 1, of: 1 },
  ]);
  const named = await db.tenancy.inShop(shop, async (tenant) => {
    const requests = await tenant.requests.some([id, other]);
    const abouts = await aboutsOf(tenant, requests);
    const whose = await whoseTests(tenant, requests);
    return [id, other].map((one) => [
      abouts.get(one),
      documentFileName({ kind: "referral", version: 1, ...(whose.get(one) ?? NOBODY) }),
    ]);
  });
  expect(named).toEqual([
    ["Test 1 of 2", "referral-form-1-of-2-v1.pdf"],
    ["Test 2 of 2", "referral-form-2-of-2-v1.pdf"],
  ]);
});

test("tells an invited patient neither the number of their test nor how many the order has, and the buyer both", async () => {
  const world = await startInvitation(db);
  const { shop, id } = world;
  await world.send();
  const patient = await world.enter();
  const alone = { number: 1, of: 1 };
  expect(await world.seeOne(patient)).toMatchObject({ unit: alone, inOrder: alone });
  const first = { number: 1, of: 2 };
  expect(await world.seeOne(BUYER)).toMatchObject({ unit: first, inOrder: first });
  const about = await db.tenancy.inShop(shop, async (tenant) =>
    aboutsOf(tenant, await tenant.requests.some([id])),
  );
  expect([...about]).toEqual([]);
});

test("tells an invited patient of several tests the buyer's number of each, and not how many the order has", async () => {
  const world = await startInvitation(db);
  const { shop, id, other, ports, mails } = world;
  await world.send();
  const first = await world.enter();
  const invite = (email: string) =>
    invitePatient(ports, { shop, viewer: BUYER, requestId: other, email });
  const numberOfFirst = async () => (await world.seeOne(first))?.inOrder;

  // Another person's test says nothing of hers.
  expect(await invite("ben@example.com")).toMatchObject({ kind: "handed_over" });
  expect(await numberOfFirst()).toEqual({ number: 1, of: 1 });

  world.clock.advance(1);
  expect(await invite("PAT@example.com")).toMatchObject({ kind: "handed_over" });
  expect(await numberOfFirst()).toEqual({ number: 1, of: null });
  const second = await world.enter();
  expect(await world.see(second)).toMatchObject([
    { id: other, unit: { number: 1, of: 1 }, inOrder: { number: 2, of: null } },
  ]);
  expect(mails.at(-1)?.text).toMatch(/^Test 2 · Order #1001\n/);
  expect(mails.at(-1)?.text).toContain("a newer link to the same test replaces it");
  const cards = (await world.see(BUYER)).map((one) => [one.id, one.inOrder]);
  expect(new Map(cards as [string, unknown][])).toEqual(
    new Map([
      [id, { number: 1, of: 2 }],
      [other, { number: 2, of: 2 }],
    ]),
  );
  const files = await db.tenancy.inShop(shop, async (tenant) => {
    const whose = await whoseTests(tenant, await tenant.requests.some([id, other]));
    return [id, other].map((one) =>
      documentFileName({ kind: "referral", version: 1, ...(whose.get(one) ?? NOBODY) }),
    );
  });
  expect(files).toEqual(["referral-form-1-v1.pdf", "referral-form-2-v1.pdf"]);
});

test("waits with the first of two invitations for the second, so that both say which test they are for", async () => {
  const world = await startInvitation(db);
  const { shop, other, ports, mails, clock } = world;
  ports.waits.mailWindowMs = 120_000;
  await world.send();
  await world.runJobs();
  expect(mails).toEqual([]);
  clock.advance(60_000);
  // Nobody else can be given a test of the order: this one is told at once.
  const email = "pat@example.com";
  await invitePatient(ports, { shop, viewer: BUYER, requestId: other, email });
  await world.runJobs();
  expect(mails.map(({ text }) => text.split("\n")[0])).toEqual(["Test 2 · Order #1001"]);
  clock.advance(60_000);
  await world.runJobs();
  expect(mails.map(({ text }) => text.split("\n")[0])).toEqual([
    "Test 2 · Order #1001",
    "Test 1 · Order #1001",
  ]);
  for (const { text } of mails)
    expect(text).toContain(
      "You have more than one test in this order. Each test has its own email and its own link.",
    );
});

test("tells a patient of one test of no other, when nobody gave her another within the window", async () => {
  const world = await startInvitation(db);
  world.ports.waits.mailWindowMs = 120_000;
  await world.send();
  world.clock.advance(120_000);
  await world.runJobs();
  expect(world.mails).toHaveLength(1);
  expect(world.mails[0]?.text).not.toContain("Test 1");
  expect(world.mails[0]?.text).not.toContain("more than one test");
});

test("says in a later invitation that an earlier email without a number is for another test", async () => {
  const world = await startInvitation(db);
  const { shop, id, other, ports, mails, clock } = world;
  const invite = async (requestId: string, email = "pat@example.com") => {
    clock.advance(600_000);
    await invitePatient(ports, { shop, viewer: BUYER, requestId, email });
    await world.runJobs();
    return mails.at(-1)?.text ?? "";
  };
  const told =
    "If an earlier email about this order has no number, it is for another of your tests.";
  // Another person's email is no email of hers.
  expect(await invite(other, "ben@example.com")).not.toContain(told);
  expect(await invite(id)).not.toContain(told);
  // An earlier email for this very test went to somebody else.
  expect(await invite(other)).toContain(told);
  // Sent once more: an email without a number could be for this test.
  expect(await invite(id)).not.toContain(told);
});

test("keeps an invited patient's name from the buyer", async () => {
  const { see, seeOne, send, enter, give, id } = await startInvitation(db);
  await send();
  const patient = await enter();
  await give(patient);
  expect((await seeOne(BUYER))?.patientName).toBeNull();
  expect((await see(patient)).map((one) => [one.id, one.unit])).toEqual([
    [id, { number: 1, of: 1 }],
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
