import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { connect } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { resultsOn } from "../../../clients/referral-service/listed-page.ts";
import { wireResult } from "../../../clients/referral-service/testing/wire-samples.ts";
import { customerState } from "../customer-view.ts";
import { gatherFacts } from "../request-facts.ts";
import { refetchResult } from "../results/refetch-result.ts";
import { syncConnection } from "../sync-connection.ts";

const db = await openTestDatabase();
const MISMATCH = { failure: "contract_mismatch" };

test.each([
  ["deletedAt", "by the laboratory"],
  ["deletedAt", "2026-13-45"],
])("%s %j is told as an answer that cannot be read", async (field, value) => {
  const { become, referrals } = await startCreated(db);
  await expect(become({ [field]: value })).rejects.toMatchObject(MISMATCH);
  expect(await referrals()).toMatchObject([{ deletedAt: null, resultUuid: null }]);
});

test("an empty text in the place of a moment or an id is none", async () => {
  const { become, referrals, story, requestId } = await startCreated(db);
  await become({ deletedAt: "", resultsUuid: "", status: "ISSUED" });
  expect(await referrals()).toMatchObject([
    { deletedAt: null, resultUuid: null, status: "ISSUED" },
  ]);
  expect(await story(requestId)).not.toContain("cancelled");
});

test.each([
  "0001-01-01T00:00:00",
  "1900-01-01",
  "1970-01-01T10:00:00+10:00",
  "9999-12-31T23:59:59Z",
])("a deletion at %s is none: that day stands for no day", async (deletedAt) => {
  const { become, referrals, requestId, find } = await startCreated(db);
  await become({ deletedAt, status: "ISSUED" });
  expect(await referrals()).toMatchObject([{ deletedAt: null, status: "ISSUED" }]);
  expect(await find(requestId)).toMatchObject({ state: "created", reviewReason: null });
});

test("what changed after a time of the service that lay ahead is read, and found in its list", async () => {
  const created = await startCreated(db);
  const { shop, clock, ports, service, uuids, become, takeJobs } = created;
  await connect(db, shop);
  const [uuid = ""] = uuids();
  const ahead = new Date(clock.now().getTime() + 86_400_000).toISOString();
  clock.advance(60_000);
  await become({ status: "ISSUED", updatedAt: ahead });
  await takeJobs();
  clock.advance(60_000);
  service.set(uuid, { status: "COMPLETE", resultsUuid: randomUUID() });
  await syncConnection(ports, { shop, environment: "staging" });
  expect(await takeJobs()).toEqual(["refetch-referral"]);
  await created.refetch();
  expect(await created.referrals()).toMatchObject([{ status: "COMPLETE" }]);
  expect(await takeJobs()).toContain("refetch-result");
});

test("a status that the service dates hours back, because its clock was set back, is true once it is read hours later", async () => {
  const { become, clock, referrals, refetch } = await startCreated(db);
  clock.advance(60_000);
  await become({ status: "ISSUED", updatedAt: clock.now().toISOString() });
  const back = new Date(clock.now().getTime() - 3 * 3_600_000).toISOString();
  clock.advance(2 * 3_600_000);
  await become({ status: "BILLING_FAILED", updatedAt: back });
  // A machine of the service that is behind may say this.
  expect(await referrals()).toMatchObject([{ status: "ISSUED" }]);
  clock.advance(5 * 3_600_000);
  await refetch();
  expect(await referrals()).toMatchObject([{ status: "BILLING_FAILED" }]);
});

test("a first result reaches its patient though its referral is dated back, because the service's clock was set back", async () => {
  const created = await startCreated(db, { settings: { releasePolicy: "automatic" } });
  const { become, clock, ports, shop, requestId, uuids, takeJobs } = created;
  clock.advance(60_000);
  await become({ status: "ISSUED", updatedAt: clock.now().toISOString() });
  await takeJobs();
  clock.advance(3_600_000);
  const back = new Date(clock.now().getTime() - 3 * 3_600_000).toISOString();
  const [referralUuid = ""] = uuids();
  const result = resultSnapshot({ referralUuid, createdAt: back, updatedAt: back });
  await become({ status: "COMPLETE", resultsUuid: result.uuid, updatedAt: back });
  expect(await takeJobs()).toEqual(["refetch-result"]);
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => result }) };
  await refetchResult({ ...ports, services }, { shop, environment: "staging", uuid: result.uuid });
  expect(await takeJobs()).toContain("send-mail");
  const request = await created.find(requestId);
  const [facts] = await db.tenancy.inShop(shop, (tenant) =>
    gatherFacts(tenant, request ? [request] : []),
  );
  expect(facts && customerState(facts)).toBe("results_ready");
  // Another reading of what is stored asks for nothing.
  await created.refetch();
  expect(await takeJobs()).toEqual([]);
});

test("a change that the service dates hours back is found in its list hours later, and once", async () => {
  const created = await startCreated(db);
  const { shop, clock, ports, service, uuids, become, takeJobs } = created;
  await connect(db, shop);
  const [uuid = ""] = uuids();
  clock.advance(60_000);
  await become({ status: "ISSUED", updatedAt: clock.now().toISOString() });
  await takeJobs();
  const back = new Date(clock.now().getTime() - 3 * 3_600_000).toISOString();
  service.set(uuid, { status: "BILLING_FAILED", updatedAt: back });
  const jobsOfSync = async () => {
    await syncConnection(ports, { shop, environment: "staging" });
    return takeJobs();
  };
  clock.advance(5 * 3_600_000);
  expect(await jobsOfSync()).toEqual([]);
  clock.advance(62 * 60_000);
  expect(await jobsOfSync()).toEqual(["refetch-referral"]);
  await created.refetch();
  expect(await created.referrals()).toMatchObject([{ status: "BILLING_FAILED" }]);
  await takeJobs();
  clock.advance(7 * 3_600_000);
  expect(await jobsOfSync()).toEqual([]);
});

test("a result that the service dates before its referral, because its clock was set back, is found in its list", async () => {
  const created = await startCreated(db);
  const { shop, clock, ports, uuids, takeJobs } = created;
  await connect(db, shop);
  const [referralUuid] = uuids();
  const back = new Date(clock.now().getTime() - 3 * 3_600_000).toISOString();
  const result = wireResult({ uuid: randomUUID(), referralUuid, createdAt: back, updatedAt: back });
  const list = { cursor: { cursor: "", count: 20, resultCount: 1 }, results: [result] };
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const resultPage = async () => resultsOn(JSON.stringify(list), "GET /v1/results");
  const services = { forConnection: async () => ({ ...real, resultPage }) };
  clock.advance(60_000);
  await syncConnection({ ...ports, services }, { shop, environment: "staging" });
  expect(await takeJobs()).toEqual(["refetch-result"]);
});
