/** The pages as a browser without script gets them: links are followed, and forms sent as they stand. */
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, STRANGER, startInvitation } from "../../../test/database/invitation.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import { putSavedPatient } from "../../modules/access/saved-patients.ts";
import type { Viewer } from "../../modules/access/viewer.ts";
import { MAX_SAVED_PATIENTS } from "../../modules/patients/saved-patient.ts";
import type { Ports } from "../../ports.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { answerCustomerPage } from "./page-routes.ts";
import { foreignClasses } from "./testing/foreign-classes.ts";

const db = await openTestDatabase();
const BASE = "/apps/pathway";
let world: Awaited<ReturnType<typeof startInvitation>>;
beforeEach(async () => {
  world = await startInvitation(db);
});

/** Opens an address of the pages, or sends a form there. */
async function visit(
  address: string,
  {
    form,
    viewer = BUYER,
    token = "ours",
    headers = {},
  }: {
    form?: Record<string, string>;
    viewer?: Viewer;
    token?: string;
    headers?: Record<string, string>;
  } = {},
) {
  const url = new URL(address, "https://shop.example");
  const body = form && new URLSearchParams({ ...form, [FORM_TOKEN]: token });
  const answer = await answerCustomerPage({
    ports: world.ports as unknown as Ports,
    viewerScope: { shop: world.shop, viewer },
    context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
    request: new Request(url, body ? { method: "POST", body, headers } : {}),
    path: url.pathname.slice(BASE.length + 1),
    openDocument: async () => null,
    openExport: async () => new Response(null),
  });
  if (answer instanceof Response)
    return { status: answer.status, to: answer.headers.get("location"), text: "" };
  const text = (await hostedPage(answer, { help: NO_SHOP }).text()).replace(
    /<style>.*<\/style>/s,
    "",
  );
  expect(foreignClasses(text)).toEqual([]);
  return { status: answer.status, to: null, text: text.replaceAll("&amp;", "&") };
}

const details = (requestId: string) => `${BASE}/requests/${requestId}/details`;
/** Returns the values of the form's fields, by their names, as the browser would send them. */
function fieldsIn(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/<input[^>]*>/g)].flatMap(([tag]) => {
    const name = / name="([^"]+)"/.exec(tag)?.[1];
    const isSent = !tag.includes('type="checkbox"') || / checked=/.test(tag);
    return name && isSent ? [[name, / value="([^"]*)"/.exec(tag)?.[1] ?? ""]] : [];
  });
  const selects = [...text.matchAll(/<select[^>]* name="([^"]+)".*?<\/select>/gs)].map(
    ([tag, name]) => {
      const [, attributes = "", label] = /<option([^>]*selected[^>]*)>([^<]*)/.exec(tag) ?? [];
      return [name, /value="([^"]*)"/.exec(attributes)?.[1] ?? label ?? ""];
    },
  );
  return Object.fromEntries([...inputs, ...selects]);
}
const TYPED = {
  ...{ firstName: "Ada", lastName: "Citizen", email: "ada@example.com", phone: "0412345678" },
  ...{ "dob.day": "2", "dob.month": "1", "dob.year": "1990", gender: "female" },
  ...{ "address.addressLine1": "1 High St", "address.city": "Melbourne" },
  ...{ "address.state": "VIC", "address.postCode": "3000", consent: "yes" },
};
const linkTo = (text: string, name: string) =>
  new RegExp(`href="([^"]*)"[^>]*>${name}`).exec(text)?.[1] ?? expect.unreachable(name);

test("details are typed once, and fill in the next test's form", async () => {
  const first = await visit(`${details(world.id)}?who=somebody`);
  expect(first.text).toContain("Save these details for my next test");
  expect(fieldsIn(first.text)).not.toHaveProperty("keep");
  expect(first.text).not.toContain("Use saved details");
  const sent = { form: { ...TYPED, keep: "yes" } };
  const saved = await visit(`${details(world.id)}?who=somebody`, sent);
  expect(saved).toMatchObject({ status: 303, to: `${BASE}?saved=kept` });
  const told = await visit(`${BASE}?saved=kept`);
  expect(told.text).toContain("These details are also saved for your next test.");

  const empty = await visit(`${details(world.other)}?who=somebody`);
  expect(fieldsIn(empty.text)).toMatchObject({ firstName: "", "dob.year": "" });
  const filled = await visit(linkTo(empty.text, "Ada Citizen, born 1990"));
  expect(filled.text).toContain("Filled in with the saved details of Ada Citizen, born 1990");
  const { consent, ...fields } = TYPED;
  const offered = fieldsIn(filled.text);
  expect(offered).toMatchObject(fields);
  expect(offered).not.toHaveProperty("consent");
  // Consent is given anew, and what was filled in can be changed.
  const changed = { ...offered, "address.addressLine1": "9 Low St" };
  const address = linkTo(empty.text, "Ada Citizen, born 1990");
  expect(await visit(address, { form: changed })).toMatchObject({ status: 422 });
  expect(await visit(address, { form: { ...changed, consent } })).toMatchObject({
    to: `${BASE}?saved`,
  });
  const given = await db.tenancy.inShop(world.shop, (t) => t.requests.patientOf(world.other));
  expect(given?.patient).toEqual({
    ...PATIENT,
    address: { ...PATIENT.address, addressLine1: "9 Low St" },
  });
});

test("the tick to save the details survives a fault, and nothing is saved before", async () => {
  const { consent: _, ...form } = TYPED;
  const faulty = await visit(`${details(world.id)}?who=somebody`, {
    form: { ...form, keep: "yes" },
  });
  expect(faulty.status).toBe(422);
  expect(fieldsIn(faulty.text)).toMatchObject({ keep: "yes" });
  expect((await visit(`${BASE}/saved`)).text).toContain("You haven’t saved anybody’s details.");
});

test("whoever has twenty people saved is told that one more was not, and the test has its details", async () => {
  for (let number = 0; number < MAX_SAVED_PATIENTS; number++)
    await putSavedPatient(world.ports, {
      ...{ shop: world.shop, viewer: BUYER, id: randomUUID() },
      details: { ...PATIENT, lastName: `Citizen${"x".repeat(number + 1)}` },
    });
  const sent = { form: { ...TYPED, keep: "yes" } };
  const saved = await visit(`${details(world.id)}?who=somebody`, sent);
  expect(saved.to).toBe(`${BASE}?saved=full`);
  expect((await visit(saved.to ?? "")).text).toContain("you have 20 people saved");
  expect((await world.seeOne(BUYER))?.state).not.toBe("awaiting_details");
});

test("saved details are deleted after a question, and only by their owner", async () => {
  const id = randomUUID();
  const own = { shop: world.shop, viewer: BUYER, id };
  await putSavedPatient(world.ports, { ...own, details: PATIENT });
  const list = await visit(linkTo((await visit(BASE)).text, "Saved details"));
  const asked = await visit(linkTo(list.text, "Delete"));
  expect(asked.text).toContain("Delete the saved details of Ada Citizen, born 1990?");
  const address = `${BASE}/saved/${id}/delete`;
  for (const form of [undefined, {}])
    expect(await visit(address, { form, viewer: STRANGER })).toMatchObject({ status: 404 });
  const foreign = await visit(`${details(world.id)}?who=somebody&use=${randomUUID()}`);
  expect(fieldsIn(foreign.text)).toMatchObject({ firstName: "" });
  expect((await visit(address, { form: {} })).text).toContain("The saved details are deleted");
  expect(await visit(address, { form: {} })).toMatchObject({ status: 404 });
  expect((await visit(`${BASE}/saved`)).text).not.toContain("Ada");
});

test("an invited patient is offered nothing of the buyer's, and keeps nothing", async () => {
  await putSavedPatient(world.ports, {
    ...{ shop: world.shop, viewer: BUYER, id: randomUUID() },
    details: PATIENT,
  });
  await world.send();
  const viewer = await world.enter();
  const form = await visit(details(world.id), { viewer });
  expect(form.status).toBe(200);
  for (const text of ["Ada", "Use saved details", "for my next test"])
    expect(form.text).not.toContain(text);
  expect(await visit(`${BASE}/saved`, { viewer })).toMatchObject({ status: 404 });
  const sent = await visit(details(world.id), { viewer, form: { ...TYPED, keep: "yes" } });
  expect(sent.to).toBe(`${BASE}?saved`);
});

test("a guest types a person's details once in an order, and chooses them by name for the next test", async () => {
  const guest = await startLinked(db);
  world = { ...world, shop: guest.shop, ports: guest.ports };
  const viewer = await guest.enter(await guest.mail("details_needed"));
  const at = (requestId: string) => `${details(requestId)}?who=me`;
  expect((await visit(at(guest.id), { viewer })).text).not.toContain("Use saved details");
  expect((await visit(at(guest.id), { viewer, form: TYPED })).status).toBe(303);
  // The test may have been ordered meanwhile: its details are closed to the link, but for this.
  await guest.deliver(guest.id, { hasResults: false });
  const next = await visit(at(guest.other), { viewer });
  expect(fieldsIn(next.text)).toMatchObject({ "dob.year": "", gender: "" });
  expect(next.text).not.toContain("Save these details for my next test");
  const filled = await visit(linkTo(next.text, "Ada Citizen, born 1990"), { viewer });
  const { consent: _, ...fields } = TYPED;
  expect(fieldsIn(filled.text)).toMatchObject(fields);
  expect(fieldsIn(filled.text)).not.toHaveProperty("consent");
  const looks = await db.pool.query(
    "SELECT who, request_id FROM access_log WHERE shop = $1 AND what = 'details_viewed'",
    [guest.shop],
  );
  expect(looks.rows).toEqual([{ who: "link", request_id: guest.id }]);
});

test("a guest's details of one visit are offered on no other, and none that were given by somebody else", async () => {
  const guest = await startLinked(db);
  world = { ...world, shop: guest.shop, ports: guest.ports };
  const first = await guest.enter(await guest.mail("details_needed"));
  expect((await visit(details(guest.id), { viewer: first, form: TYPED })).status).toBe(303);
  const later = await guest.enter(await guest.mail("details_needed"));
  const address = `${details(guest.other)}?who=me`;
  const choosing = `${address}&use=${guest.id}`;
  for (const at of [address, choosing]) {
    const { status, text } = await visit(at, { viewer: later });
    expect(status).toBe(200);
    expect(text).not.toContain("Ada Citizen");
    expect(fieldsIn(text)).toMatchObject({ "dob.year": "" });
  }
  // The later visit changes them: they are the first one's no more.
  const changed = { ...TYPED, firstName: "Adele" };
  expect((await visit(details(guest.id), { viewer: later, form: changed })).status).toBe(303);
  expect((await visit(choosing, { viewer: first })).text).not.toContain("Adele");
  expect((await visit(address, { viewer: later })).text).toContain("Adele Citizen, born 1990");
});

test("a signed-in buyer chooses a person of the same order once, without saving anybody", async () => {
  const sent = await visit(`${details(world.id)}?who=somebody`, { form: TYPED });
  expect(sent.to).toBe(`${BASE}?saved`);
  const next = await visit(`${details(world.other)}?who=somebody`);
  expect(next.text.match(/Ada Citizen, born 1990/g)).toHaveLength(1);
  expect((await visit(`${BASE}/saved`)).text).toContain("You haven’t saved anybody’s details.");
});

test("a form from before a new sign-in comes back with what was typed, and nothing is saved", async () => {
  const address = `${details(world.id)}?who=somebody`;
  const stale = await visit(address, { form: { ...TYPED, keep: "yes" }, token: "stale" });
  expect(stale.status).toBe(403);
  expect(stale.text).toContain("What you typed is still here.");
  const { consent: _, ...fields } = TYPED;
  const again = fieldsIn(stale.text);
  expect(again).toMatchObject({ ...fields, keep: "yes", [FORM_TOKEN]: "ours" });
  expect(again).not.toHaveProperty("consent");
  expect((await world.seeOne(BUYER))?.state).toBe("awaiting_details");
  expect((await visit(`${BASE}/saved`)).text).toContain("You haven’t saved anybody’s details.");
  expect(
    (await db.pool.query("SELECT 1 FROM details_drafts WHERE shop = $1", [world.shop])).rows,
  ).toEqual([]);
  expect(await visit(address, { form: { ...again, consent: "yes" } })).toMatchObject({
    status: 303,
  });

  // Somebody else's page wrote this one: the patient would take its words for their own.
  const headers = { "sec-fetch-site": "cross-site" };
  const planted = await visit(address, { form: TYPED, token: "stale", headers });
  expect(planted).toMatchObject({ status: 403 });
  expect(planted.text).not.toContain("Citizen");
  // Another customer's page shows nothing of it, and another form says that nothing was done.
  const foreign = await visit(address, { form: TYPED, token: "stale", viewer: STRANGER });
  expect(foreign).toMatchObject({ status: 404 });
  expect(foreign.text).not.toContain("Citizen");
  const other = await visit(`${BASE}/requests/${world.other}/hand-over`, {
    form: {},
    token: "stale",
  });
  expect(other.status).toBe(403);
  expect(other.text).toContain("Nothing was saved or sent.");
});
