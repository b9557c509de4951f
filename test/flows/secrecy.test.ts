/** Long because one world is walked through once, and everything that leaves it is looked through. */
import { chmod, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, SHIPPING_ADDRESS, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { CANARIES, CANARY_PATIENT } from "./canary-patient.ts";
import { fetchDocument } from "./customer-documents.ts";
import { linkIn, mailTo } from "./mailed-links.ts";
import { requestsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";
import { startTraceCollector } from "./trace-collector.ts";

let world: TestWorld;
let folder: string;
const collector = await startTraceCollector();
beforeAll(async () => {
  // The world keeps what its processes say below the folder for temporary files.
  folder = await mkdtemp(join(tmpdir(), "pathway-secrecy-"));
  await chmod(folder, 0o711);
  const env = {
    TMPDIR: folder,
    LOG_LEVEL: "trace",
    PATHWAY_REMINDER_DAY_MS: "2000",
    // A walk that finds the result before its event comes would bring it in a trace of its own.
    PATHWAY_SYNC_INTERVAL_MS: "600000",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    PATHWAY_DOCUMENTS: "files",
    PATHWAY_DOCUMENTS_DIR: join(folder, "documents"),
  };
  world = await startWorld({ env, accounts: "legacy" });
});
afterAll(async () => {
  await world?.stop();
  collector.close();
  await rm(folder, { recursive: true, force: true });
});

const patient = { ...CANARY_PATIENT, medicareCardNumber: "2123456701" };
const buyerNames = { firstName: "Umberleigh", lastName: "Vexillologist" };

test("neither the database, the logs nor a mail tell who a patient is or what was found", async () => {
  const shopping = goShopping(world);
  const buyer = await shopping.newShopper(buyerNames);
  const order = await shopping.buy(buyer, [[shopping.product("medicare").variantId, 1]]);
  const asked = await shopping.requestsWhen(order, 1);
  // One refusal on the way: what somebody typed must not be quoted either.
  const faulty = { ...patient, phone: "0491570156777" };
  await expect(buyer.api.giveDetails(only(asked).id, faulty)).rejects.toThrow(/422/);
  await shopping.giveDetails(buyer, asked, patient);
  const [referral] = await eventually(() => oneReferralEach(world, asked));
  // A form is not announced any more once its results are there, so its mail must be out before.
  await eventually(async () => {
    const subjects = (await mailsOfTheApp()).map(({ where }) => where);
    expect(subjects).toContainEqual(expect.stringContaining("form is ready"));
  });
  await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, critical: true });
  const done = await eventually(async () => {
    const own = only(await buyer.api.requests());
    expect(own.state).toBe("results_ready");
    return own;
  });
  const { categories } = resultSchema.parse(await buyer.api.result(done.resultId ?? ""));
  const biomarkers = categories.flatMap((category) => category.biomarkers);
  expect(biomarkers.length).toBeGreaterThan(0);

  const canaries = [
    ...CANARIES,
    patient.medicareCardNumber,
    buyerNames.firstName,
    buyerNames.lastName,
    buyer.email,
    world.line.service.client_secret,
    // Shorter ones could be met by chance.
    ...biomarkers.map(({ formattedValue }) => formattedValue).filter(({ length }) => length > 5),
  ];
  const rows = await everyRow();
  const logs = await everyLog();
  // Public values are there: these are the right rows and the right logs, and the search finds things.
  expect(foundIn(rows, [only(asked).referenceNumber])).not.toEqual([]);
  expect(foundIn(logs, [only(asked).id])).not.toEqual([]);
  expect(foundIn(rows, canaries)).toEqual([]);
  expect(foundIn(logs, canaries)).toEqual([]);
  // A form and a report, which open for whoever bought, and say nothing as they lie there.
  const files = await eventually(async () => {
    const stored = await everyDocument();
    expect(stored.length).toBeGreaterThanOrEqual(2);
    return stored;
  });
  expect(foundIn(files, [...canaries, "%PDF-"])).toEqual([]);
  for (const { id } of only(await buyer.api.requests()).documents)
    expect(await (await fetchDocument(world, id, buyer.id)).text()).toContain("%PDF-");
  // While the folder is away, whoever opens one is told so.
  await rename(join(folder, "documents"), join(folder, "away"));
  const [document] = only(await buyer.api.requests()).documents;
  const away = await fetchDocument(world, document?.id ?? "", buyer.id);
  expect(away.status).toBe(503);
  expect(await away.text()).toContain("try again");
  await rename(join(folder, "away"), join(folder, "documents"));

  // One order has one trace, from its webhook to its report, whoever filled in the form and told of the result meanwhile.
  const { traceparent } = only(
    await world.sql.rows(
      z.object({ traceparent: z.string() }),
      "SELECT traceparent FROM referral_requests WHERE id = $1",
      [only(asked).id],
    ),
  );
  const traceId = traceparent.split("-")[1] ?? "";
  const ownSpans = () => collector.spans.filter((span) => span.traceId === traceId);
  await eventually(async () =>
    expect(ownSpans().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "POST /webhooks",
        "job reconcile-order",
        "job create-referral",
        "service POST /v1/referrals",
        "job refetch-referral",
        "service download",
        "send mail",
      ]),
    ),
  );
  // The result is fetched for the first that asks: a step of the order, or the event, whose own trace links to the order's.
  await eventually(async () => {
    const linked = collector.spans.filter(({ links }) =>
      links.some((one) => one.traceId === traceId),
    );
    const traces = new Set([traceId, ...linked.map((span) => span.traceId)]);
    const fetched = collector.spans.filter(({ name }) => name === "job refetch-result");
    expect(fetched.some((span) => traces.has(span.traceId))).toBe(true);
  });
  // A step is told before the one around it, which ends later.
  const first = await eventually(() => {
    const spans = ownSpans();
    const ids = new Set(spans.map(({ spanId }) => spanId));
    return only(spans.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId)));
  });
  expect(first.name).toBe("POST /webhooks");
  // Steps that came from outside meanwhile link to it.
  expect(
    collector.spans.filter((span) => span.links.some((link) => link.traceId === traceId)).length,
  ).toBeGreaterThan(0);
  expect(foundIn(logs, [traceId])).not.toEqual([]);
  const sent = collector.bodies.map((text) => ({ where: "a trace", text }));
  expect(foundIn(sent, [only(asked).id])).not.toEqual([]);
  expect(foundIn(sent, canaries)).toEqual([]);

  // A reader over somebody's shoulder learns neither what was ordered nor what was found.
  const mails = await eventually(async () => {
    const all = await mailsOfTheApp();
    // That details are needed, that the form is there, that results are.
    expect(all.length).toBeGreaterThan(2);
    return all;
  });
  const health = [
    only(asked).title,
    shopping.product("medicare").title,
    ...biomarkers.map(({ name }) => name).filter(({ length }) => length > 5),
  ];
  for (const { text } of mails) expect(text).toContain(order.name);
  // An email says whose test it is about, by the first name alone, when there are two people.
  // The patient is told who gave the details.
  const told: readonly string[] = [
    CANARY_PATIENT.firstName,
    buyerNames.firstName,
    buyerNames.lastName,
  ];
  const forbidden = canaries.filter((one) => !told.includes(one));
  expect(foundIn(mails, [...forbidden, ...health])).toEqual([]);
});

test("reminders can be stopped by one click in a mail program, and end by themselves", async () => {
  const [silent, annoyed] = ["silent", "annoyed"].map(
    (name) => `${name}-${process.pid}@example.com`,
  );
  const orders = await Promise.all([silent, annoyed].map((email) => orderAsGuest(email ?? "")));
  const asking = await mailTo(world, annoyed ?? "", /few details/);
  expect(asking.headers["list-unsubscribe"]).toBeUndefined();

  const reminder = await mailTo(world, annoyed ?? "", /^reminder/i);
  const { headers, text, html } = reminder;
  expect(headers["content-type"]).toMatch(/^multipart\/alternative/);
  expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  const [, address = ""] = /^<(http\S+)>$/.exec(headers["list-unsubscribe"] ?? "") ?? [];
  // The plain text has everything that the other part has.
  for (const part of [text, html]) {
    expect(part).toContain(address);
    expect(part).toContain(orders[1]?.name);
    expect(part).toContain(linkIn(reminder));
  }
  // A scanner that only looks stops nothing.
  expect((await fetch(address)).status).toBe(200);
  expect(await stopped()).toBe(0);
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const answer = await fetch(address, { method: "POST", body, redirect: "manual" });
  expect(answer.status).toBe(200);
  expect(await stopped()).toBe(1);
  const before = await remindersNoted(orders[1]?.id ?? "");
  expect(before).toBeLessThan(3);

  // The days of the policy pass; then the merchant is told, of both.
  for (const { id } of orders)
    await eventually(
      async () =>
        expect((await requestsOf(world.sql, id)).map(({ reviewReason }) => reviewReason)).toEqual([
          "details_overdue",
        ]),
      { what: "the end of reminders" },
    );
  const received = async (email = "") =>
    (await world.store.mail()).filter(
      ({ to, subject }) => to === email && /^reminder/i.test(subject),
    ).length;
  // A day is two seconds here: days that a busy machine came late for share a reminder.
  expect([1, 2, 3]).toContain(await received(silent));
  // None was due after the click. One that was due just before it may not have gone out.
  expect(await remindersNoted(orders[1]?.id ?? "")).toBe(before);
  expect(await received(annoyed)).toBeGreaterThan(0);
  expect(await received(annoyed)).toBeLessThanOrEqual(before);
  expect(await remindersPlanned()).toBe(0);
});

async function orderAsGuest(email: string) {
  const { variantId } = goShopping(world).product("bundle");
  return world.store.createOrder({
    email,
    lines: [{ variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
}

const stopped = () =>
  world.sql.count("SELECT count(*) FROM referral_requests WHERE reminders_stopped_at IS NOT NULL");
const remindersNoted = (orderId: string) =>
  world.sql.count(
    `SELECT count(*) FROM notifications n JOIN referral_requests r ON (r.shop, r.id) = (n.shop, n.request_id)
     WHERE r.order_id = $1 AND n.kind = 'details_reminder'`,
    [orderId],
  );
const remindersPlanned = () =>
  world.sql.count(
    `SELECT (SELECT count(*) FROM outbox WHERE name = 'send-reminder')
          + (SELECT count(*) FROM pgboss.job WHERE name = 'send-reminder'
             AND state IN ('created', 'retry', 'active'))`,
  );

/** Every mail of the app's, without its address: the store's own tell what was bought, as Shopify's do. */
async function mailsOfTheApp(): Promise<Place[]> {
  const all = await world.store.mail();
  return all
    .filter(({ headers }) => headers["auto-submitted"] === "auto-generated")
    .map(({ subject, text, html }) => ({ where: subject, text: [subject, text, html].join("\n") }));
}

const resultSchema = z.object({
  categories: z.array(
    z.object({
      biomarkers: z.array(z.object({ name: z.string(), formattedValue: z.string() })),
    }),
  ),
});

type Place = { where: string; text: string };

/** Every row of every table of the app and of its job engine, as text. */
async function everyRow(): Promise<Place[]> {
  const tables = await world.sql.rows(
    z.object({ name: z.string() }),
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const places: Place[] = [];
  for (const { name } of tables) {
    const rows = await world.sql.rows(
      z.object({ text: z.string() }),
      `SELECT t::text AS text FROM ${name} AS t`,
    );
    places.push(...rows.map(({ text }) => ({ where: name, text })));
  }
  return places;
}

/** Reads the PDFs as they are stored. */
async function everyDocument(): Promise<Place[]> {
  const inside = await readdir(join(folder, "documents"), { recursive: true, withFileTypes: true });
  const files = inside.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => ({
      where: name,
      text: await readFile(join(parentPath, name), "latin1"),
    })),
  );
}

/** Reads what the app's processes have logged. */
async function everyLog(): Promise<Place[]> {
  const worlds = (await readdir(folder)).filter((name) => name.startsWith("pathway-world-"));
  const file = join(folder, only(worlds), "logs", "app.log");
  return [{ where: "app.log", text: await readFile(file, "utf8") }];
}

/** Where something of it is written, in clear or only encoded. */
function foundIn(places: Place[], canaries: string[]): string[] {
  const disguises = canaries.flatMap((canary) => [
    { canary, as: canary.toLowerCase() },
    { canary, as: JSON.stringify(canary).slice(1, -1).toLowerCase() },
    { canary, as: Buffer.from(canary).toString("hex") },
    { canary, as: Buffer.from(canary).toString("base64").replace(/=+$/, "").toLowerCase() },
    { canary, as: encodeURIComponent(canary).toLowerCase() },
  ]);
  return places.flatMap(({ where, text }) => {
    const lower = text.toLowerCase();
    return disguises
      .filter(({ as }) => lower.includes(as))
      .map(({ canary }) => `${where}: ${canary}`);
  });
}
