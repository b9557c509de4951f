import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createReferral,
  fields,
  getResult,
  type Harness,
  issuedReferral,
  send,
  startHarness,
} from "../testing/harness.ts";
import { tokenError } from "../wire/common.ts";
import { apiKey, apiKeyList, stats } from "../wire/console-wire.ts";
import { referral } from "../wire/referral-wire.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

test("from sign-up to API access in the order of section 1.8", async () => {
  const login = { email: "sam@example.com", password: "long enough" };
  const account = fields(await harness.console("POST", "/accounts", login));
  const as = (method: string, path: string, body?: unknown) =>
    harness.console(method, path, body, String(account.token));
  expect((await as("POST", "/profile/verify")).status).toBe(409);
  expect((await as("POST", "/organisations", { name: "Too early" })).status).toBe(403);
  const profile = { firstName: "Sam", lastName: "Lee" };
  expect((await as("PUT", "/profile", profile)).status).toBe(400);
  await as("PUT", "/profile", { ...profile, practitionerType: "Other" });
  expect((await as("POST", "/organisations", { name: "Still too early" })).status).toBe(403);
  expect(fields(await as("POST", "/profile/verify")).verified).toBe(true);
  expect((await as("POST", "/api-keys", {})).status).toBe(409);
  expect((await as("POST", "/organisations", { name: "Reef" })).status).toBe(200);
  expect((await as("POST", "/organisations", { name: "Twice" })).status).toBe(409);
  for (const billing of ["none", "declined"]) {
    await as("PATCH", "/organisation", { billing });
    expect((await as("POST", "/api-keys", {})).status).toBe(403);
  }
  await as("PATCH", "/organisation", { billing: "valid" });
  const key = apiKey.parse((await as("POST", "/api-keys", { integration: "store" })).body);
  const client = await harness.clientFor(key.client_id, key.client_secret);
  expect((await createReferral(client)).origin).toBe("STORE_INTEGRATION");
  const keys = await as("GET", "/api-keys");
  expect(apiKeyList.parse(keys.body)).toMatchObject([{ client_id: key.client_id }]);
  expect(JSON.stringify(keys.body)).not.toContain(key.client_secret);
});

test("an email address can be used once; signing in needs the right password", async () => {
  const login = { email: "once@example.com", password: "long enough" };
  expect((await harness.console("POST", "/accounts", login)).status).toBe(200);
  expect((await harness.console("POST", "/accounts", login)).status).toBe(409);
  const empty = { email: "b@example.com", password: "" };
  expect((await harness.console("POST", "/accounts", empty)).status).toBe(400);
  const session = fields(await harness.console("POST", "/sessions", login));
  expect((await harness.console("GET", "/profile", undefined, String(session.token))).status).toBe(
    200,
  );
  const wrong = await harness.console("POST", "/sessions", { ...login, password: "wrong one" });
  expect(wrong.status).toBe(401);
  expect(tokenError.parse(wrong.body)).toMatchObject({ code: "123", type: "InvalidCredentials" });
});

test("nothing is told without a token", async () => {
  expect((await send(`${harness.baseUrl}/api/stats`, {})).status).toBe(401);
  expect((await harness.console("GET", "/stats", undefined, "guess")).status).toBe(401);
  const { accessToken } = harness;
  expect((await harness.console("GET", "/stats", undefined, accessToken)).status).toBe(401);
});

test("the seeded organisation has everything it needs", async () => {
  expect(fields(await harness.console("GET", "/organisation"))).toMatchObject({
    billing: "valid",
    holdResultsForReview: false,
    requirePatientVerification: false,
  });
  expect(fields(await harness.console("GET", "/profile")).verified).toBe(true);
});

test("statistics count calls, referrals by reference number and connections", async () => {
  await createReferral(harness, { referenceNumber: "STATS-1" });
  await createReferral(harness, { referenceNumber: "STATS-1" });
  const before = stats.parse((await harness.console("GET", "/stats")).body);
  expect(before.referralsByReferenceNumber["STATS-1"]).toBe(2);
  expect(before.openConnections).toBeGreaterThan(0);
  await harness.call("GET", "/v1/tests");
  const after = stats.parse((await harness.console("GET", "/stats")).body);
  expect(after.calls["GET /v1/tests"]).toBe((before.calls["GET /v1/tests"] ?? 0) + 1);
  expect(after.calls["POST /v1/referrals"]).toBe(before.calls["POST /v1/referrals"]);
});

test("the lab bench sends what it is told; equal seeds give equal values", async () => {
  const run = async (wish: Record<string, unknown>) => {
    const { uuid } = await issuedReferral(harness, { tests: ["full-blood-count", "vitamin-d"] });
    const reply = await harness.console("POST", `/referrals/${uuid}/results`, wish);
    return getResult(harness, referral.parse(reply.body).resultsUuid);
  };
  const normal = await run({ abnormal: false });
  expect(normal.biomarkerSummary).toMatchObject({ abnormal: 0, critical: 0 });
  const abnormal = await run({ abnormal: true });
  expect(abnormal.biomarkerSummary?.abnormal).toBeGreaterThan(0);
  const critical = await run({ critical: true, seed: 7 });
  expect(critical.biomarkerSummary?.critical).toBe(1);
  expect((await run({ critical: true, seed: "7" })).biomarkers).toEqual(critical.biomarkers);
  expect((await run({ critical: true, seed: 8 })).biomarkers).not.toEqual(critical.biomarkers);
  expect((await run({ partial: true })).status).toBe("PARTIAL_RESULTS");
});

test("refuses to make a value abnormal that cannot be, and says so", async () => {
  const { uuid } = await issuedReferral(harness, { tests: ["blood-group"] });
  const reply = await harness.console("POST", `/referrals/${uuid}/results`, { critical: true });
  expect(reply.status).toBe(200);
  const hormones = await issuedReferral(harness, { tests: ["female-hormones"] });
  const refused = await harness.console("POST", `/referrals/${hormones.uuid}/results`, {
    abnormal: true,
  });
  expect(refused.status).toBe(400);
});

test("impossible wishes are refused", async () => {
  const { uuid } = await issuedReferral(harness);
  const status = await harness.console("POST", `/referrals/${uuid}/status`, { status: "LOST" });
  expect(status.status).toBe(400);
  const results = await harness.console("POST", `/referrals/${uuid}/results`, { abnormal: "yes" });
  expect(results.status).toBe(400);
  expect((await harness.console("POST", "/clock", { advanceSeconds: -1 })).status).toBe(400);
  expect((await harness.console("POST", "/provider-numbers", { providerNumber: "1" })).status).toBe(
    400,
  );
});
