import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, PATIENT, readyRequest } from "../../../test/database/seed.ts";
import { wireBiomarker, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../clients/referral-service/wire/result.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import type { Patient } from "../patients/patient.ts";
import { openResult } from "./open-result.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
let orders = 0;
beforeEach(async () => {
  shop = await installedShop(db);
});

/** A test of its own order with one result of ferritin; answers the result's id. */
async function measured(
  day: string,
  value: string,
  {
    patient = PATIENT,
    unit = "ug/L",
    written,
    abnormal = 0,
    released = true,
    customer = 7,
    owner = "buyer",
    time = "00:00:00.000Z",
    later = [],
  }: {
    patient?: Patient;
    unit?: string;
    /** The value as the laboratory writes it with its unit. */
    written?: string;
    /** How many of its two values the laboratory counts as abnormal. It marks none. */
    abnormal?: number;
    released?: boolean;
    customer?: number;
    owner?: "buyer" | "patient";
    time?: string;
    /** Its values an hour or two later, in the same test. */
    later?: string[];
  } = {},
): Promise<string> {
  const requestId = await readyRequest(db, shop, { orderNumber: 3_000 + ++orders });
  const wire = wireResult({
    uuid: randomUUID(),
    biomarkerSummary: { normal: 2 - abnormal, abnormal, critical: 0, total: 2 },
    biomarkers: [
      ...[value, ...later].map((one) =>
        wireBiomarker({ value: one, unit, formattedValue: written ?? `${one} ${unit}` }),
      ),
      wireBiomarker({ id: "crp", name: "CRP", value: "1", unit: "mg/L", formattedValue: "1 mg/L" }),
    ],
  });
  const snapshot = {
    ...resultSchema.parse(wire),
    whole: undefined,
    resultDate: `${day}T${time}`,
  };
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.requests.savePatient(requestId, { patient, medicare: null }, START);
    await putRequest(tenant, requestId, { state: "created" });
    await tenant.results.save({
      environment: "staging",
      requestId,
      snapshot,
      partial: false,
      inReview: false,
      otherPerson: false,
      releasedAt: released ? START : null,
      at: START,
    });
  });
  await db.pool.query(
    "UPDATE referral_requests SET customer_id = $1, owner = $2 WHERE shop = $3 AND id = $4",
    [gid("Customer", customer), owner, shop, requestId],
  );
  return snapshot.uuid;
}

/** Earlier values of ferritin beside a result, as its owner sees them. */
async function historyOf(resultId: string, biomarkerId = "ferritin") {
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  const result = await openResult(
    { tenancy: db.tenancy, clock: { now: () => new Date() } },
    { shop, viewer, resultId },
  );
  const biomarkers = result?.categories.flatMap((category) => category.biomarkers);
  return biomarkers
    ?.find(({ id }) => id === biomarkerId)
    ?.history.map(({ date, formattedValue }) => [date.slice(0, 10), formattedValue]);
}

test("earlier values stand in the sequence in which they were measured, whatever came in first", async () => {
  await measured("2026-05-02", "38");
  await measured("2025-01-15", "25");
  const latest = await measured("2026-09-01", "44");
  await measured("2025-11-30", "31");
  expect(await historyOf(latest)).toEqual([
    ["2025-01-15", "25 ug/L"],
    ["2025-11-30", "31 ug/L"],
    ["2026-05-02", "38 ug/L"],
  ]);
  expect(await historyOf(latest, "crp")).toHaveLength(3);
});

test("the day of a report is the one in the time zone that the store told", async () => {
  const id = await measured("2026-05-01", "38", { time: "14:10:00.000Z" });
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  const opened = () =>
    openResult(
      { tenancy: db.tenancy, clock: { now: () => START } },
      { shop, viewer, resultId: id },
    );
  expect(await opened()).toMatchObject({ reportedOn: "2026-05-02", timeZone: "Australia/Sydney" });
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.shops.recordFacts({ timeZone: "Australia/Perth" }),
  );
  expect(await opened()).toMatchObject({ reportedOn: "2026-05-01", timeZone: "Australia/Perth" });
});

test("compares nothing that one test measured several times", async () => {
  await measured("2025-01-15", "25");
  const tolerance = await measured("2025-11-30", "31", { later: ["60", "40"] });
  const latest = await measured("2026-05-02", "38");
  expect(await historyOf(tolerance)).toEqual([]);
  expect(await historyOf(tolerance, "crp")).toHaveLength(1);
  expect(await historyOf(latest)).toEqual([["2025-01-15", "25 ug/L"]]);
});

test("leaves out values that were measured later, or on the same day", async () => {
  const first = await measured("2026-05-02", "38");
  await measured("2026-09-01", "44");
  await measured("2026-05-02", "39");
  expect(await historyOf(first)).toEqual([]);
});

test("a value in another unit is not put beside it where only the written value has the unit", async () => {
  await measured("2025-01-15", "5.4", { unit: "", written: "5.4 %" });
  const latest = await measured("2026-09-01", "36", { unit: "", written: "36 mmol/mol" });
  expect(await historyOf(latest)).toEqual([]);
});

test("an earlier value says that its result had more counted than marked", async () => {
  await measured("2025-01-15", "25", { abnormal: 0 });
  await measured("2025-02-15", "26", { abnormal: 1 });
  const latest = await measured("2026-09-01", "44");
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  const clock = { now: () => START };
  const view = await openResult({ tenancy: db.tenancy, clock }, { shop, viewer, resultId: latest });
  const [ferritin] = view?.categories.flatMap(({ biomarkers }) => biomarkers) ?? [];
  expect(ferritin?.history.map(({ isUnclear }) => isUnclear)).toEqual([false, true]);
});

test("a value in another unit is not put beside it; others of the same result are", async () => {
  await measured("2025-01-15", "0.02", { unit: "mg/L" });
  const latest = await measured("2026-09-01", "44");
  expect(await historyOf(latest)).toEqual([]);
  expect(await historyOf(latest, "crp")).toHaveLength(1);
});

test.each<[string, Parameters<typeof measured>[2]]>([
  ["another patient of the same account", { patient: { ...PATIENT, firstName: "Ben" } }],
  ["a namesake born on another day", { patient: { ...PATIENT, dob: "1990-01-03" } }],
  ["a result that is not released", { released: false }],
  ["the same person in somebody else's account", { customer: 8 }],
  ["a unit that was handed to its patient", { owner: "patient" }],
])("%s gives no earlier value", async (_, other) => {
  await measured("2025-01-15", "25", other);
  const latest = await measured("2026-09-01", "44");
  expect(await historyOf(latest)).toEqual([]);
});

test("a unit that was cancelled gives no earlier value", async () => {
  const cancelled = await measured("2025-01-15", "25");
  const latest = await measured("2026-09-01", "44");
  await db.pool.query(
    `UPDATE referral_requests SET state = 'cancelled'
     WHERE id = (SELECT request_id FROM results WHERE uuid = $1)`,
    [cancelled],
  );
  expect(await historyOf(latest)).toEqual([]);
});

test("another spelling of the same name is the same person; more than twelve are too many", async () => {
  const shouted = { ...PATIENT, firstName: " ADA", lastName: "citizen " };
  for (let month = 1; month <= 13; month++) {
    const day = new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10);
    await measured(day, String(month), { patient: month % 2 ? shouted : PATIENT });
  }
  const latest = await measured("2026-09-01", "44");
  const values = (await historyOf(latest))?.map(([, value]) => value);
  expect(values).toEqual(Array.from({ length: 12 }, (_, index) => `${index + 2} ug/L`));
});
