import { expect, test } from "vitest";
import { z } from "zod";
import { eventually, shareWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { askForTicket, fetchDocument, textOfPdf } from "./customer-documents.ts";
import { documentsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";

const world = await shareWorld();
const shopping = goShopping(world);

test("two units of a test and one thing that is no test become exactly two referrals", async () => {
  const buyer = await shopping.newShopper();
  const bundle = shopping.product("bundle");
  const order = await shopping.buy(buyer, [
    [bundle.variantId, 2],
    [shopping.product("ignored").variantId, 1],
  ]);
  const asked = await shopping.requestsWhen(order, 2, ({ state }) =>
    expect(state).toBe("awaiting_details"),
  );
  const people = [shopping.patient(0), shopping.patient(1)] as const;
  await shopping.giveDetails(buyer, asked);
  const requests = await shopping.requestsWhen(order, 2, ({ state }) =>
    expect(state).toBe("created"),
  );

  const referrals = await oneReferralEach(world, requests);
  const testLine = order.lines.find(({ variantId }) => variantId === bundle.variantId);
  const number = (id: string | undefined) => id?.split("/").at(-1);
  for (const [index, referral] of referrals.entries()) {
    expect(referral.origin).toBe("STORE_INTEGRATION");
    // Nothing beyond ids: no name, no address, nothing of what was ordered.
    expect(referral.metadata).toEqual({
      shop: world.line.store.shop,
      requestId: requests[index]?.id,
      orderId: number(order.id),
      lineItemId: number(testLine?.id),
      unit: index + 1,
      generation: 1,
    });
    expect(referral.person).toMatchObject({
      firstName: people[index]?.firstName,
      lastName: people[index]?.lastName,
      dob: people[index]?.dob,
    });
  }
  expect(requests.map(({ attempt }) => attempt)).toEqual([1, 1]);
});

test("a referral form is a PDF that names its patient, for its customer alone", async () => {
  const [buyer, other] = [await shopping.newShopper(), await shopping.newShopper()];
  const { order } = await shopping.buyToForm(buyer);
  const patient = shopping.patient(0);
  const request = only((await buyer.api.requests()).filter((r) => r.orderId === order.id));
  const form = only(request.documents);
  expect(form).toMatchObject({ kind: "referral", version: 1, partial: false });

  const own = await fetchDocument(world, form.id, buyer.id);
  expect(own.status).toBe(200);
  expect(own.headers.get("content-type")).toBe("application/pdf");
  expect(own.headers.get("cache-control")).toContain("no-store");
  const bytes = new Uint8Array(await own.arrayBuffer());
  expect(Buffer.from(bytes.subarray(0, 5)).toString("latin1")).toBe("%PDF-");
  const words = (await textOfPdf(bytes)).toLowerCase();
  for (const name of [patient.firstName, patient.lastName])
    expect(words).toContain(name.toLowerCase());

  expect((await fetchDocument(world, form.id, other.id)).status).toBe(404);
  expect((await fetchDocument(world, form.id, null)).status).toBe(401);
  expect(await other.api.requests()).toEqual([]);
});

test("a ticket's address opens the form once", async () => {
  const [buyer, other] = [await shopping.newShopper(), await shopping.newShopper()];
  const { order } = await shopping.buyToForm(buyer);
  const request = only((await buyer.api.requests()).filter((r) => r.orderId === order.id));
  const form = only(request.documents);
  expect(await askForTicket(world, form.id, other.id)).toEqual({ status: 404, url: "" });

  const { url } = await askForTicket(world, form.id, buyer.id);
  // A program that looks what the address has does not use it up.
  const look = await fetch(url, { method: "HEAD" });
  expect([look.status, look.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  const first = await fetch(url);
  expect(first.status).toBe(200);
  expect(await textOfPdf(new Uint8Array(await first.arrayBuffer()))).not.toBe("");
  const again = await fetch(url);
  expect(again.status).toBe(404);
  expect(again.headers.get("cache-control")).toContain("no-store");
  expect(await again.text()).toContain("does not open from here");
});

test("results come in part and then in full, and only the newest version is shown", async () => {
  const [buyer, other] = [await shopping.newShopper(), await shopping.newShopper()];
  const { order, requests } = await shopping.buyToForm(buyer);
  const [referral] = await oneReferralEach(world, requests);
  const { id: requestId } = only(requests);
  const seen = async () => only((await buyer.api.requests()).filter((r) => r.orderId === order.id));

  await world.service.generateResults(referral?.uuid ?? "", { partial: true });
  const partly = await eventually(async () => {
    const request = await seen();
    expect(request.state).toBe("partial_results");
    const report = only(request.documents.filter(({ kind }) => kind === "result"));
    expect(report).toMatchObject({ version: 1, partial: true });
    return { ...request, report };
  });
  const partial = snapshotSchema.parse(await buyer.api.result(partly.resultId ?? ""));
  expect(partial.partial).toBe(true);

  await world.service.generateResults(referral?.uuid ?? "");
  const done = await eventually(async () => {
    const request = await seen();
    expect(request.state).toBe("results_ready");
    const report = only(request.documents.filter(({ kind }) => kind === "result"));
    expect(report).toMatchObject({ version: 2, partial: false });
    return { ...request, report };
  });
  expect(done.resultId).toBe(partly.resultId);
  const whole = snapshotSchema.parse(await buyer.api.result(done.resultId ?? ""));
  expect(whole.partial).toBe(false);
  expect(measured(whole)).toBeGreaterThan(measured(partial));
  expect(measured(whole)).toBe(whole.summary?.total);
  // The same to take along: the patient, the report, and every value.
  const { entry } = await buyer.api.fhir(done.resultId ?? "");
  expect(entry).toHaveLength(2 + measured(whole));
  expect(entry.slice(0, 2)).toMatchObject([
    { resource: { resourceType: "Patient", birthDate: expect.any(String) } },
    { resource: { resourceType: "DiagnosticReport", status: "final" } },
  ]);

  // A replaced form is kept, and is no longer given out.
  const stored = await documentsOf(world.sql, requestId);
  expect(stored.map(({ kind, version, replaced }) => [kind, version, replaced])).toEqual([
    ["referral", 1, false],
    ["result", 1, true],
    ["result", 2, false],
  ]);
  expect((await fetchDocument(world, partly.report.id, buyer.id)).status).toBe(404);
  const report = await fetchDocument(world, done.report.id, buyer.id);
  expect(await textOfPdf(new Uint8Array(await report.arrayBuffer()))).toContain(
    whole.categories[0]?.biomarkers[0]?.value ?? "no value",
  );
  expect((await fetchDocument(world, done.report.id, other.id)).status).toBe(404);
  expect(await other.api.resultStatus(done.resultId ?? "")).toBe(404);
});

test("mails tell of news and of nothing else", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
  const mailsWhen = (...subjects: string[]) =>
    eventually(async () => {
      const own = (await world.store.mail()).filter(({ to }) => to === buyer.email);
      const ours = own.filter(({ subject }) => subject.includes(order.name));
      expect(ours.map(({ subject }) => subject).reverse()).toEqual(
        subjects.map((subject) => `${subject} (${order.name})`),
      );
      return ours;
    });
  await mailsWhen("We need a few details for your order");
  const requests = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, requests);
  await mailsWhen("We need a few details for your order", "Your form is ready");
  const [referral] = await oneReferralEach(world, requests);
  await world.service.generateResults(referral?.uuid ?? "");
  const mails = await mailsWhen(
    "We need a few details for your order",
    "Your form is ready",
    "There is something new for you to see",
  );
  const { title } = shopping.product("bundle");
  const patient = shopping.patient(0);
  const unwanted = [title, ...HEALTH_WORDS, patient.lastName, patient.dob, referral?.reference];
  const [shop] = await world.sql.rows(
    z.object({ name: z.string() }),
    "SELECT name FROM shops WHERE shop = $1",
    [world.line.store.shop],
  );
  for (const { subject, text, html } of mails) {
    // The shop signs with its name, whatever that is; nothing else may tell.
    const written = [subject, text, html ?? ""].join("\n").replaceAll(shop?.name ?? "", "");
    const words = written.toLowerCase();
    expect(text).toContain(shop?.name);
    for (const word of unwanted) expect(words).not.toContain(word?.toLowerCase());
    expect(text).toContain(order.name);
  }
});

const HEALTH_WORDS = ["pathology", "blood", "result", "abnormal", "laborator", "referral", "test"];

const snapshotSchema = z.object({
  partial: z.boolean(),
  summary: z.object({ total: z.number() }).nullable(),
  categories: z.array(
    z.object({ name: z.string(), biomarkers: z.array(z.object({ value: z.string() })) }),
  ),
});

const measured = ({ categories }: z.infer<typeof snapshotSchema>) =>
  categories.reduce((total, { biomarkers }) => total + biomarkers.length, 0);
