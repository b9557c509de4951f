import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createReferral,
  getReferral,
  getResult,
  type Harness,
  issuedReferral,
  patient,
  startHarness,
} from "../testing/harness.ts";
import { referral } from "../wire/referral-wire.ts";
import { result, resultList } from "../wire/result-wire.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

async function put(uuid: string, query = "") {
  const reply = await harness.call("PUT", `/v1/referrals/${uuid}${query}`);
  expect(reply.status).toBe(200);
  return referral.parse(reply.body);
}

const manyTests = { tests: ["full-blood-count", "lipid-studies", "thyroid-function"] };

test("PUT makes the referral COMPLETE with a whole result", async () => {
  const issued = await issuedReferral(harness, { ...manyTests, metadata: { order: "9" } });
  const complete = await put(issued.uuid);
  expect(complete.status).toBe("COMPLETE");
  const snapshot = await getResult(harness, complete.resultsUuid);
  expect(snapshot).toMatchObject({
    referralUuid: issued.uuid,
    status: "COMPLETE",
    object: "result",
    reference: issued.reference,
    referenceNumber: issued.referenceNumber,
    productId: null,
    origin: issued.origin,
    metadata: { order: "9" },
    person: patient,
    deletedAt: null,
    reviewedBy: null,
  });
  expect(Object.keys(snapshot).sort()).toEqual(Object.keys(result.shape).sort());
  const { biomarkers, biomarkerSummary: summary } = snapshot;
  expect(summary?.total).toBe(biomarkers.length);
  expect(summary?.abnormal).toBe(biomarkers.filter((entry) => entry.isAbnormal).length);
  expect(summary?.normal).toBe(biomarkers.filter((entry) => !entry.isAbnormal).length);
  expect(summary?.critical).toBe(0);
});

test("PUT ?partial, again, then PUT: one record, reported values stay, the set grows", async () => {
  const { uuid } = await issuedReferral(harness, manyTests);
  const first = await put(uuid, "?partial");
  expect(first.status).toBe("PARTIAL_RESULTS");
  const one = await getResult(harness, first.resultsUuid);
  const second = await put(uuid, "?partial=true");
  expect(second).toMatchObject({ status: "PARTIAL_RESULTS", resultsUuid: first.resultsUuid });
  await put(uuid);
  const all = await getResult(harness, first.resultsUuid);
  expect(one.status).toBe("PARTIAL_RESULTS");
  expect(all.status).toBe("COMPLETE");
  expect(one.biomarkers.length).toBeGreaterThan(0);
  expect(one.biomarkers.length).toBeLessThan(all.biomarkers.length);
  expect(all.biomarkers.slice(0, one.biomarkers.length)).toEqual(one.biomarkers);
  expect(all.createdAt).toBe(one.createdAt);
  expect(all.updatedAt > one.updatedAt).toBe(true);
});

test("a single test can be partial", async () => {
  const { uuid } = await issuedReferral(harness);
  const { resultsUuid } = await put(uuid, "?partial");
  const part = (await getResult(harness, resultsUuid)).biomarkers;
  await put(uuid);
  expect(part.length).toBeLessThan((await getResult(harness, resultsUuid)).biomarkers.length);
});

test("PUT works from any state, also before the form exists", async () => {
  const slow = await startHarness({ pace: "natural" });
  const { uuid } = await createReferral(slow);
  const reply = await slow.call("PUT", `/v1/referrals/${uuid}`);
  const complete = referral.parse(reply.body);
  expect(complete.status).toBe("COMPLETE");
  expect(complete.referralAttachment).not.toBeNull();
  await slow.stop();
  for (const status of ["REFUNDED", "FAILED_TEST", "BILLING_FAILED", "PENDING_VERIFICATION"]) {
    const issued = await issuedReferral(harness);
    await harness.console("POST", `/referrals/${issued.uuid}/status`, { status });
    expect((await put(issued.uuid)).status).toBe("COMPLETE");
  }
});

test("PUT on an unknown uuid is REFERRAL_NOT_FOUND", async () => {
  expect(await harness.call("PUT", `/v1/referrals/${randomUUID()}`)).toMatchObject({
    status: 404,
    body: { code: "REFERRAL_NOT_FOUND" },
  });
});

test("production answers PUT with 404 and leaves the referral alone", async () => {
  const production = await startHarness({ environment: "production" });
  const { uuid } = await issuedReferral(production);
  expect((await production.call("PUT", `/v1/referrals/${uuid}`)).status).toBe(404);
  expect((await getReferral(production, uuid)).status).toBe("ISSUED");
  await production.stop();
});

test("credentials of one environment do not work in the other", async () => {
  const production = await startHarness({ environment: "production" });
  const { clientId, clientSecret } = harness.service.seed;
  await expect(production.clientFor(clientId, clientSecret)).rejects.toThrow();
  const reply = await fetch(`${production.baseUrl}/v1/tests`, {
    headers: { authorization: `Bearer ${harness.accessToken}` },
  });
  expect(reply.status).toBe(401);
  await production.stop();
});

test("the list of results pages like the list of referrals", async () => {
  const { client } = await harness.newOrganisation();
  const uuids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { uuid } = await issuedReferral(client);
    uuids.push(uuid);
    await client.call("PUT", `/v1/referrals/${uuid}`);
  }
  const page = async (query: string) =>
    resultList.parse((await client.call("GET", `/v1/results?${query}`)).body);
  const first = await page("count=2");
  const second = await page(`count=2&cursor=${first.cursor.cursor}`);
  expect([...first.results, ...second.results].map((entry) => entry.referralUuid)).toEqual(uuids);
  expect(second.cursor.resultCount).toBe(1);
  expect((await page("sort=desc&count=1")).results[0]?.referralUuid).toBe(uuids[2]);
  expect((await client.call("GET", "/v1/results?count=21")).status).toBe(400);
});

test("an unknown result is RESULT_NOT_FOUND", async () => {
  for (const uuid of [randomUUID(), "nonsense"]) {
    expect(await harness.call("GET", `/v1/results/${uuid}`)).toMatchObject({
      status: 404,
      body: { code: "RESULT_NOT_FOUND" },
    });
  }
});

test("a held result shows that it exists and nothing else, until it is released", async () => {
  const { token, client } = await harness.newOrganisation();
  await harness.console("PATCH", "/organisation", { holdResultsForReview: true }, token);
  const { uuid } = await issuedReferral(client);
  const held = referral.parse((await client.call("PUT", `/v1/referrals/${uuid}`)).body);
  expect(held.status).toBe("COMPLETE");
  expect(await getResult(client, held.resultsUuid)).toMatchObject({
    status: "IN_REVIEW",
    biomarkers: [],
    biomarkerSummary: null,
    resultAttachment: null,
  });
  await harness.console("POST", `/results/${held.resultsUuid}/release`, {}, token);
  const released = await getResult(client, held.resultsUuid);
  expect(released.status).toBe("COMPLETE");
  expect(released.biomarkers.length).toBeGreaterThan(0);
  expect(released.reviewedBy).toBe("Kim Lee");
  expect(released.resultAttachment).not.toBeNull();
});

test("keeps released values visible while more are in review", async () => {
  const { token, client } = await harness.newOrganisation();
  const { uuid } = await issuedReferral(client, manyTests);
  const part = referral.parse((await client.call("PUT", `/v1/referrals/${uuid}?partial`)).body);
  const before = await getResult(client, part.resultsUuid);
  await harness.console("PATCH", "/organisation", { holdResultsForReview: true }, token);
  await client.call("PUT", `/v1/referrals/${uuid}`);
  const during = await getResult(client, part.resultsUuid);
  expect(during.status).toBe("IN_REVIEW");
  expect(during.biomarkers).toEqual(before.biomarkers);
});
