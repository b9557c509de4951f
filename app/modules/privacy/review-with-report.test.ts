import { createHash, randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { IN_DATABASE } from "../../../test/database/in-database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, PATIENT, readyRequest } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { wireBiomarker, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../clients/referral-service/wire/result.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import type { Patient } from "../patients/patient.ts";
import { openEarlierResults } from "./open-earlier-results.ts";
import { openStaffAccess } from "./open-staff-access.ts";
import { openStaffReport } from "./open-staff-report.ts";
import { readStaffView } from "./read-staff-view.ts";

const db = await openTestDatabase();
const ANNA = "staff:1" as const;
const BEN = "staff:2" as const;
const SAM = "staff:60" as const;
const clock = movableClock();
const ports = { tenancy: db.tenancy, clock, documentBodies: IN_DATABASE };
let shop: ShopDomain;
let orders = 5_000;
beforeEach(async () => {
  shop = await installedShop(db);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.staff.identify({ staff: SAM, name: "Sam Support", isAccountOwner: false }, START),
  );
});

/** A test of its own order with one result of ferritin, and its report. */
async function tested(
  day: string,
  value: string,
  {
    released = true,
    patient = PATIENT,
    customer = 7,
    otherPerson = false,
  }: {
    released?: boolean;
    patient?: Patient;
    customer?: number;
    otherPerson?: boolean;
  } = {},
) {
  const number = ++orders;
  const requestId = await readyRequest(db, shop, { orderNumber: number });
  const referral = referralSnapshot();
  const formattedValue = `${value} ug/L`;
  const ferritin = wireBiomarker({ value, unit: "ug/L", formattedValue });
  const { biomarkers } = resultSchema.parse(wireResult({ biomarkers: [ferritin] }));
  const snapshot = resultSnapshot({
    ...{ referralUuid: referral.uuid, resultDate: `${day}T00:00:00.000Z`, biomarkers },
  });
  const customerId = gid("Customer", customer);
  const documentId = randomUUID();
  await db.pool.query("UPDATE referral_requests SET customer_id = $1 WHERE shop = $2 AND id = $3", [
    customerId,
    shop,
    requestId,
  ]);
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.requests.savePatient(requestId, { patient, medicare: null }, START);
    await putRequest(tenant, requestId, { state: "created" });
    await tenant.referrals.save("staging", requestId, referral, START);
    await tenant.results.save({
      ...{ environment: "staging", requestId, snapshot, partial: false, inReview: false },
      ...{ otherPerson, releasedAt: released ? START : null, at: START },
    });
    const pdf = Buffer.from(`%PDF-1.7 ${value}`);
    const sha256 = createHash("sha256").update(pdf).digest("hex");
    const own = { id: documentId, requestId, customerId, bytes: pdf.length, sha256 };
    const source = { kind: "result", sourceUuid: snapshot.uuid, partial: false } as const;
    await tenant.documents.store({ ...own, ...source }, pdf, START);
  });
  const target = { shop, orderId: gid("Order", number), requestId };
  type Who = { actor?: `staff:${string}`; shop?: ShopDomain };
  return {
    ...{ requestId, documentId, resultId: snapshot.uuid },
    open: ({ actor = ANNA, ...at }: Who = {}) =>
      openStaffAccess(ports, {
        ...{ ...target, ...at, actor, reason: "review", caseNumber: "HD-1" },
      }),
    openEarlier: ({ actor = ANNA, ...at }: Who = {}) =>
      openEarlierResults(ports, { ...target, ...at, actor }),
    read: ({ actor = ANNA, ...at }: Who = {}) => readStaffView(ports, { ...target, ...at, actor }),
    report: ({ actor = ANNA, document = documentId, ...at }: Who & { document?: string } = {}) =>
      openStaffReport(ports, { ...target, ...at, actor, documentId: document }),
  };
}

/** The lines of the access log about some requests, oldest first. */
async function looks(...requestIds: string[]) {
  const { rows } = await db.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', actor, what, subject_id, detail::text) AS line FROM access_log
     WHERE shop = $1 AND request_id = ANY($2) ORDER BY id`,
    [shop, requestIds],
  );
  return rows.map(({ line }) => line);
}
const REASON = '{"reason": "review", "caseNumber": "HD-1"}';

/** Earlier values beside ferritin, as the page shows them. */
async function besides(view: ReturnType<Awaited<ReturnType<typeof tested>>["read"]>) {
  const shown = await view;
  if (shown.kind !== "shown") throw new Error(shown.kind);
  return {
    values: shown.results.flatMap(({ view: { categories } }) =>
      categories.flatMap(({ biomarkers }) =>
        biomarkers.flatMap(({ history }) => history.map((one) => one.formattedValue)),
      ),
    ),
    hidden: shown.earlier.hidden,
    tests: shown.earlier.shown.map(({ requestId }) => requestId),
  };
}

test("a held result's report opens for who said why, and for nobody else; each time is logged", async () => {
  const held = await tested("2026-09-01", "44", { released: false });
  expect(await held.report()).toEqual({ kind: "not_found" });
  await held.open();
  const opened = await held.report();
  if (opened.kind !== "opened") throw new Error(opened.kind);
  expect(opened.document.pdf.toString()).toBe("%PDF-1.7 44");
  expect(opened.document.fileName).toBe("result-report-Ada-C-v1.pdf");
  await held.report();
  expect(await held.report({ actor: BEN })).toEqual({ kind: "not_found" });
  const refused = { kind: "not_allowed", right: "see_results" };
  expect(await held.report({ actor: SAM })).toEqual(refused);
  expect(await held.report({ shop: await installedShop(db) })).toEqual({ kind: "not_found" });
  const seen = `${ANNA} report_opened ${held.documentId} {"reason": "review"}`;
  expect(await looks(held.requestId)).toEqual([
    `${ANNA} results_unlocked ${REASON}`,
    ...[seen, seen],
    `${SAM} staff_refused {"role": "support", "right": "see_results"}`,
  ]);
  clock.advance(15 * 60_000);
  expect(await held.report()).toEqual({ kind: "not_found" });
});

test("a report of another test, of another person's result or of hidden results does not open", async () => {
  const held = await tested("2026-09-01", "44", { released: false });
  const other = await tested("2026-09-01", "45");
  const wrong = await tested("2026-09-01", "46", { released: false, otherPerson: true });
  for (const one of [held, wrong]) await one.open();
  expect(await held.report({ document: other.documentId })).toEqual({ kind: "not_found" });
  expect(await wrong.report()).toEqual({ kind: "not_found" });
  await db.tenancy.inShop(shop, (tenant) => tenant.requests.hideResults(held.requestId, START));
  expect(await held.report()).toEqual({ kind: "not_found" });
});

test("earlier results of the same patient are shown once they were asked for, each as a look of its own", async () => {
  const first = await tested("2025-01-15", "25");
  const second = await tested("2026-05-02", "38");
  const held = await tested("2026-09-01", "44", { released: false });
  expect(await held.openEarlier()).toEqual({ kind: "nothing_to_show" });
  await held.open();
  expect(await besides(held.read())).toEqual({ values: [], hidden: 2, tests: [] });
  expect(await looks(first.requestId, second.requestId)).toEqual([]);

  expect(await held.openEarlier()).toEqual({ kind: "opened", tests: 2 });
  expect(await held.openEarlier()).toEqual({ kind: "opened", tests: 2 });
  expect(await besides(held.read())).toEqual({
    values: ["25 ug/L", "38 ug/L"],
    hidden: 0,
    tests: [second.requestId, first.requestId],
  });
  for (const { requestId, resultId } of [first, second])
    expect(await looks(requestId)).toEqual([
      `${ANNA} results_unlocked ${REASON}`,
      `${ANNA} result_viewed ${resultId} {"beside": "${held.requestId}"}`,
    ]);
  const { rows } = await db.pool.query(
    `SELECT request_id, detail->>'why' AS why FROM timeline
     WHERE shop = $1 AND kind = 'results_revealed' AND request_id = ANY($2) ORDER BY id`,
    [shop, [first.requestId, second.requestId]],
  );
  expect(rows.map(({ why }) => why)).toEqual(["review", "review"]);
  expect((await first.read()).kind).toBe("shown");
  await held.open({ actor: BEN });
  expect(await besides(held.read({ actor: BEN }))).toMatchObject({ values: [], hidden: 2 });
});

test("earlier results are for the roles that may see results, and of this shop alone", async () => {
  await tested("2025-01-15", "25");
  const held = await tested("2026-09-01", "44", { released: false });
  await held.open();
  const refused = { kind: "not_allowed", right: "see_results" };
  expect(await held.openEarlier({ actor: SAM })).toEqual(refused);
  const home = shop;
  shop = await installedShop(db);
  const same = await tested("2026-09-02", "50", { released: false });
  expect(await held.openEarlier({ shop })).toEqual({ kind: "nothing_to_show" });
  await same.open();
  expect(await same.openEarlier()).toEqual({ kind: "opened", tests: 0 });
  expect(await besides(same.read())).toEqual({ values: [], hidden: 0, tests: [] });
  shop = home;
});

test.each<[string, Parameters<typeof tested>[2]]>([
  ["another patient of the same account", { patient: { ...PATIENT, firstName: "Ben" } }],
  ["the same person in somebody else's account", { customer: 8 }],
  ["a result that is held itself", { released: false }],
])("%s is no earlier result", async (_, other) => {
  const earlier = await tested("2025-01-15", "25", other);
  const held = await tested("2026-09-01", "44", { released: false });
  await held.open();
  expect(await held.openEarlier()).toEqual({ kind: "opened", tests: 0 });
  expect(await besides(held.read())).toEqual({ values: [], hidden: 0, tests: [] });
  expect(await looks(earlier.requestId)).toEqual([]);
});
