/** Fields that nobody can read, and that decide nothing: their referral's form and their result reach the patient all the same. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { startOddService } from "../../../../test/database/odd-service.ts";
import { connect } from "../../../../test/database/seed.ts";
import { answer } from "../../../clients/referral-service/testing/start-server.ts";
import {
  wireReferral,
  wireResult,
} from "../../../clients/referral-service/testing/wire-samples.ts";
import { syncConnection } from "../sync-connection.ts";
import { refetchReferral } from "./refetch-referral.ts";

const db = await openTestDatabase();

const PDF_URL = "https://files.example/form";
const MINUTE_MS = 60_000;

/** A test at a service that has one referral, and says of it and its result what it is told to say. */
async function start(fields: Record<string, unknown>, { isAnswerLost = false } = {}) {
  const own: Record<string, unknown> = {};
  const result: Record<string, unknown> = {};
  const asked: string[] = [];
  let until: Promise<void> | null = null;
  const odd = await startOddService(db, async ({ method, target, body }, response) => {
    asked.push(`${method} ${target.replace(/\?.*/, "")}`);
    if (method === "POST") {
      const { referenceNumber, metadata } = JSON.parse(body);
      const made = wireReferral({ uuid: randomUUID(), referenceNumber, metadata, person: null });
      Object.assign(own, made, fields);
      Object.assign(result, wireResult({ uuid: randomUUID(), referralUuid: made.uuid, metadata }));
      Object.assign(result, { referenceNumber });
      return isAnswerLost ? void response.destroy() : answer(response, 200, own);
    }
    const cursor = { cursor: null, count: 20, resultCount: own.uuid ? 1 : 0 };
    const path = target.replace(/\?.*/, "");
    if (path === "/v1/referrals") return answer(response, 200, { cursor, referrals: [own] });
    if (path === "/v1/results")
      return answer(response, 200, { cursor: { resultCount: 0 }, results: [] });
    const said = { ...(path.includes("/results/") ? result : own) };
    await until;
    answer(response, 200, said);
  });
  await connect(db, odd.shop);
  const pdf = { kind: "pdf" as const, bytes: Buffer.from("%PDF-1.7 form") };
  const ports = { ...odd.ports, attachments: { download: async () => pdf } };
  const { shop } = odd;
  const rows = async (sql: string) => (await db.pool.query(sql, [shop])).rows;
  return {
    ...odd,
    own,
    result,
    asked,
    uuid: () => String(own.uuid),
    hold(gate: Promise<void> | null) {
      until = gate;
    },
    hear: () => refetchReferral(ports, { shop, environment: "staging", uuid: String(own.uuid) }),
    sync: () => syncConnection(ports, { shop, environment: "staging" }),
    forms: () => rows("SELECT version FROM documents WHERE shop = $1 AND kind = 'referral'"),
    told: () => rows("SELECT kind, uuid, field FROM unreadable_entries WHERE shop = $1"),
  };
}

test.each<[string, Record<string, unknown>]>([
  ["its change is dated null", { updatedAt: null }],
  ["its change is not dated", { updatedAt: undefined }],
  ["its change is dated soon", { updatedAt: "soon" }],
  ["its change is dated on no day of the calendar", { updatedAt: "2026-02-30T10:00:00Z" }],
  ["it has no date at all", { updatedAt: undefined, createdAt: undefined }],
  ["its result's id is none", { resultsUuid: "pending" }],
])("a form reaches its patient though %s, and the connection tells", async (_, fields) => {
  const odd = await start(fields);
  expect(await odd.create()).toMatchObject({ kind: "created" });
  odd.clock.advance(MINUTE_MS);
  Object.assign(odd.own, { status: "ISSUED", referralAttachment: PDF_URL });
  expect(await odd.hear()).toEqual({ kind: "stored", status: "ISSUED", document: true });
  expect(await odd.referrals()).toMatchObject([{ status: "ISSUED", deletedAt: null }]);
  expect(await odd.forms()).toEqual([{ version: 1 }]);
  expect(await odd.find()).toMatchObject({ state: "created", reviewReason: null });
  const [field] = Object.keys(fields);
  expect(await odd.told()).toEqual([{ kind: "referral", uuid: odd.uuid(), field }]);
  expect(odd.creates()).toHaveLength(1);
  // It is put right.
  odd.clock.advance(MINUTE_MS);
  const at = odd.clock.now().toISOString();
  Object.assign(odd.own, { createdAt: at, updatedAt: at, resultsUuid: null });
  await odd.hear();
  expect(await odd.told()).toEqual([]);
});

test.each<[string, Record<string, unknown>]>([
  ["tests that are numbers", { tests: [1, 2] }],
  ["tests that are objects", { tests: [{ id: "fbc" }] }],
  ["no tests", { tests: "fbc" }],
  ["an empty list for metadata", { metadata: [] }],
  ["a product in an object", { productId: { id: 1 }, productName: ["Iron"] }],
  ["an origin of another type", { origin: 7, reference: { number: 12345678 } }],
  [
    "a person's side facts in other forms",
    { person: { phone: {}, email: [], gender: {}, address: "1 High St" } },
  ],
  ["`medicare` as a word", { medicare: "false" }],
  ["a deletion that is dated false", { deletedAt: false }],
  ["a deletion that is dated zero", { deletedAt: "0000-00-00 00:00:00" }],
  ["an advice that is an object", { routingMessage: { text: "ask" } }],
  ["no result, as a number", { resultsUuid: "" }],
])("a form reaches its patient whose referral has %s", async (_, fields) => {
  const odd = await start({ ...fields, status: "ISSUED", referralAttachment: PDF_URL });
  expect(await odd.create()).toMatchObject({ kind: "created" });
  odd.clock.advance(MINUTE_MS);
  expect(await odd.hear()).toEqual({ kind: "stored", status: "ISSUED", document: true });
  expect(await odd.find()).toMatchObject({ state: "created", reviewReason: null });
  expect(await odd.told()).toEqual([]);
});

test.each([null, undefined, 3, {}])(
  "a referral whose status is %j has its form, and an item tells that nobody knows it",
  async (status) => {
    const odd = await start({ status, referralAttachment: PDF_URL });
    expect(await odd.create()).toMatchObject({ kind: "created" });
    odd.clock.advance(MINUTE_MS);
    expect(await odd.hear()).toMatchObject({ kind: "stored", document: true });
    expect(await odd.find()).toMatchObject({ reviewReason: { detail: "unknown_status" } });
    expect(odd.creates()).toHaveLength(1);
  },
);

test.each<[string, unknown, number]>([
  ["an object", { url: PDF_URL, name: "form.pdf" }, 1],
  ["a good one beside empty ones", [{ url: null }, { url: PDF_URL }, {}, null], 1],
  ["the same one twice", [PDF_URL, PDF_URL], 1],
  ["two that differ", [PDF_URL, "https://files.example/other"], 0],
  ["a number", 7, 0],
])("the address of a form is read where it is %s", async (_, referralAttachment, forms) => {
  const odd = await start({ status: "ISSUED", referralAttachment });
  expect(await odd.create()).toMatchObject({ kind: "created" });
  odd.clock.advance(MINUTE_MS);
  await odd.hear();
  expect(await odd.forms()).toHaveLength(forms);
});

test.each<[string, Record<string, unknown>]>([
  ["a deletion that nobody can read", { deletedAt: "soon" }],
  ["metadata that may name us", { metadata: "requestId=1" }],
  ["a name that is none", { person: { firstName: { given: "Ada" } } }],
  ["a word for whether it is a Medicare one", { medicare: "perhaps" }],
])("%s keeps a referral from being read, and nothing is ordered twice", async (_, fields) => {
  const odd = await start(fields);
  expect(await odd.create()).toEqual({ kind: "ambiguous" });
  odd.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  await expect(odd.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
  expect(await odd.find()).toMatchObject({
    reviewReason: { code: "unresolved", detail: "contract_mismatch" },
  });
  expect(odd.creates()).toHaveLength(1);
});

test("metadata in a text names the test that it is of", async () => {
  const odd = await start({});
  await odd.create();
  const { metadata } = odd.own;
  Object.assign(odd.own, { metadata: JSON.stringify(metadata), referenceNumber: null });
  odd.clock.advance(MINUTE_MS);
  expect(await odd.hear()).toMatchObject({ kind: "stored" });
});

test("a lost order is found by its undated referral, and never sent again", async () => {
  const odd = await start({ updatedAt: "soon" }, { isAnswerLost: true });
  expect(await odd.create()).toEqual({ kind: "ambiguous" });
  odd.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await odd.resolve()).toEqual({ kind: "linked", uuids: [odd.uuid()] });
  expect(await odd.told()).toEqual([{ kind: "referral", uuid: odd.uuid(), field: "updatedAt" }]);
  expect(odd.creates()).toHaveLength(1);
});

test("of two undated readings the one that was asked for later counts, in whichever order they come", async () => {
  const odd = await start({ createdAt: "2026-11-01T00:00:00Z", updatedAt: null });
  await odd.create();
  odd.clock.advance(MINUTE_MS);
  Object.assign(odd.own, { status: "ISSUED" });
  const gate = Promise.withResolvers<void>();
  odd.hold(gate.promise);
  const slow = odd.hear();
  await expect.poll(() => odd.asked.filter((one) => one.includes(odd.uuid())).length).toBe(1);
  odd.hold(null);
  odd.clock.advance(MINUTE_MS);
  Object.assign(odd.own, { status: "FAILED_TEST" });
  await odd.hear();
  gate.resolve();
  await slow;
  expect(await odd.referrals()).toMatchObject([{ status: "FAILED_TEST" }]);
  // A dated one of a change before, by a clock that is behind ours, is taken as well.
  odd.clock.advance(MINUTE_MS);
  const updatedAt = new Date(odd.clock.now().getTime() - 5 * MINUTE_MS).toISOString();
  Object.assign(odd.own, { status: "COMPLETE", createdAt: updatedAt, updatedAt });
  await odd.hear();
  expect(await odd.referrals()).toMatchObject([{ status: "COMPLETE" }]);
});

test("what the list cannot date is read alone once in an hour", async () => {
  const odd = await start({ updatedAt: null });
  await odd.create();
  await odd.hear();
  await odd.takeJobs();
  const asks = async () => {
    await odd.sync();
    return (await odd.takeJobs()).filter((name) => name === "refetch-referral").length;
  };
  odd.clock.advance(5 * MINUTE_MS);
  expect(await asks()).toBe(0);
  expect(await odd.told()).toMatchObject([{ uuid: odd.uuid() }]);
  odd.clock.advance(60 * MINUTE_MS);
  expect(await asks()).toBe(1);
  // Ours, and not stored yet.
  await db.pool.query("DELETE FROM referrals WHERE shop = $1", [odd.shop]);
  await db.pool.query("UPDATE connections SET paused_at = $2, restore_point = $2 WHERE shop = $1", [
    odd.shop,
    odd.clock.now(),
  ]);
  expect(await asks()).toBe(1);
});

test("an undated result is its patient's, and each correction of it is told", async () => {
  const odd = await start({ status: "COMPLETE" });
  await odd.create();
  const news = async () => {
    const { rows } = await db.pool.query<{ occurrence: string }>(
      "SELECT occurrence FROM notifications WHERE shop = $1 AND kind = 'state_changed'",
      [odd.shop],
    );
    return rows.filter(({ occurrence }) => occurrence.startsWith("new_figures")).length;
  };
  const summary = { normal: 1, abnormal: 0, critical: 0, total: 1 };
  Object.assign(odd.result, { updatedAt: null, createdAt: "soon", biomarkerSummary: summary });
  const report = async (value: string) => {
    odd.clock.advance(MINUTE_MS);
    const [marker] = odd.result.biomarkers as Record<string, unknown>[];
    odd.result.biomarkers = [{ ...marker, value, formattedValue: value, isAbnormal: "false" }];
    await odd.refetchResult(String(odd.result.uuid));
  };
  const stored = () =>
    db.tenancy.inShop(odd.shop, (tenant) => tenant.results.snapshotOf(String(odd.result.uuid)));
  await report("40");
  expect(await stored()).toMatchObject({ biomarkers: [{ value: "40", isAbnormal: false }] });
  expect(await news()).toBe(0);
  for (const [n, value] of ["41", "42"].entries()) {
    await report(value);
    expect(await news()).toBe(n + 1);
  }
  expect((await stored())?.biomarkers[0]?.value).toBe("42");
  expect(await odd.told()).toMatchObject([{ kind: "result", field: "updatedAt" }]);
});
