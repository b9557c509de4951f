import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  createReferral,
  fields,
  type Harness,
  issuedReferral,
  order,
  startHarness,
  until,
} from "../testing/harness.ts";
import { stats } from "../wire/console-wire.ts";
import { referralList } from "../wire/referral-wire.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());
afterEach(() => harness.console("PUT", "/faults", {}));

const faults = (settings: Record<string, unknown>) => harness.console("PUT", "/faults", settings);

let orders = 0;
async function attempt() {
  orders += 1;
  const referenceNumber = `FAULT-${orders}`;
  const body = { ...order, referenceNumber };
  const startedAtMs = Date.now();
  const status = await harness.call("POST", "/v1/referrals", { body }).then(
    (reply) => reply.status,
    (error: Error) => String(Object.getOwnPropertyDescriptor(error.cause, "code")?.value),
  );
  return { referenceNumber, status, durationMs: Date.now() - startedAtMs };
}

async function storedCount(referenceNumber: string): Promise<number> {
  const reply = await harness.console("GET", "/stats");
  return stats.parse(reply.body).referralsByReferenceNumber[referenceNumber] ?? 0;
}

test("everything is off at first and after an empty PUT", async () => {
  const off = {
    createDelayMs: 0,
    createCommitThenDrop: 0,
    createDropBeforeCommit: 0,
    createLateCommitMs: 0,
    errorRate: 0,
    rateLimit: null,
    staleListMs: 0,
    attachmentStatus: null,
    webhooks: { drop: 0, duplicate: 0, reorder: 0, delayMs: 0 },
  };
  expect(fields(await faults({}))).toMatchObject(off);
  expect(fields(await harness.console("GET", "/faults"))).toMatchObject(off);
  expect((await attempt()).status).toBe(200);
});

test("createDelayMs", async () => {
  await faults({ createDelayMs: 150 });
  expect(await attempt()).toMatchObject({
    status: 200,
    durationMs: expect.toSatisfy((ms) => ms >= 145),
  });
});

test("createCommitThenDrop: a count of stored referrals whose answer is lost", async () => {
  await faults({ createCommitThenDrop: 2 });
  for (const status of ["ECONNRESET", "ECONNRESET", 200]) {
    const outcome = await attempt();
    expect(outcome.status).toBe(status);
    expect(await storedCount(outcome.referenceNumber)).toBe(1);
  }
});

test("createDropBeforeCommit: nothing is stored", async () => {
  await faults({ createDropBeforeCommit: 1 });
  const lost = await attempt();
  expect(lost.status).toBe("ECONNRESET");
  expect(await storedCount(lost.referenceNumber)).toBe(0);
  expect((await attempt()).status).toBe(200);
});

test("createLateCommitMs: the referral appears after the connection is gone", async () => {
  await faults({ createLateCommitMs: 200 });
  const late = await attempt();
  expect(late.status).toBe("ECONNRESET");
  expect(await storedCount(late.referenceNumber)).toBe(0);
  await until(async () => (await storedCount(late.referenceNumber)) === 1);
});

test("createCommitThenError: stored, then 500", async () => {
  await faults({ createCommitThenError: 1 });
  const outcome = await attempt();
  expect(outcome.status).toBe(500);
  expect(await storedCount(outcome.referenceNumber)).toBe(1);
});

test("a rate hits now and then", async () => {
  await faults({ createCommitThenDrop: 0.5 });
  const outcomes = new Set<unknown>();
  for (let index = 0; index < 40; index += 1) outcomes.add((await attempt()).status);
  expect(outcomes).toEqual(new Set(["ECONNRESET", 200]));
});

test("errorRate 1 answers every API call with 500 and stores nothing", async () => {
  await faults({ errorRate: 1 });
  const outcome = await attempt();
  expect(outcome.status).toBe(500);
  expect(await storedCount(outcome.referenceNumber)).toBe(0);
  expect(await harness.call("GET", "/v1/tests")).toMatchObject({
    status: 500,
    body: { error: true, code: "INTERNAL_ERROR" },
  });
});

test("a refused order is refused whatever the faults", async () => {
  await faults({ createCommitThenDrop: 1 });
  const body = { ...order, gender: "other" };
  expect((await harness.call("POST", "/v1/referrals", { body })).status).toBe(400);
});

test("rateLimit answers 429 with Retry-After and lets calls through afterwards", async () => {
  await faults({ rateLimit: { limit: 2, windowMs: 700 } });
  const call = () => harness.call("GET", "/v1/bundles");
  expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
  const refused = await call();
  expect(refused).toMatchObject({ status: 429, body: { error: true, code: "RATE_LIMITED" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  const { client } = await harness.newOrganisation();
  expect((await client.call("GET", "/v1/tests")).status).toBe(200);
  await until(async () => (await call()).status === 200);
});

test("staleListMs hides young referrals from lists only", async () => {
  await faults({ staleListMs: 60_000 });
  const { uuid } = await createReferral(harness);
  const list = async () =>
    referralList.parse((await harness.call("GET", "/v1/referrals?sort=desc")).body).referrals;
  expect((await list()).some((entry) => entry.uuid === uuid)).toBe(false);
  expect((await harness.call("GET", `/v1/referrals/${uuid}`)).status).toBe(200);
  await faults({ staleListMs: 1 });
  await until(async () => (await list()).some((entry) => entry.uuid === uuid));
});

test("attachmentStatus", async () => {
  const { referralAttachment } = await issuedReferral(harness);
  await faults({ attachmentStatus: 503 });
  expect((await fetch(referralAttachment ?? "")).status).toBe(503);
  await faults({});
  expect((await fetch(referralAttachment ?? "")).status).toBe(200);
});

test("an account's faults hit its own organisation only", async () => {
  const { token, client } = await harness.newOrganisation();
  await harness.console("PUT", "/faults", { errorRate: 1 }, token);
  expect((await client.call("GET", "/v1/tests")).status).toBe(500);
  expect((await harness.call("GET", "/v1/tests")).status).toBe(200);
});

test("rates and counts can be spelled out, and null switches off", async () => {
  await faults({ createDropBeforeCommit: { rate: 1 } });
  expect([(await attempt()).status, (await attempt()).status]).toEqual([
    "ECONNRESET",
    "ECONNRESET",
  ]);
  await faults({ createDropBeforeCommit: { count: 1 } });
  expect([(await attempt()).status, (await attempt()).status]).toEqual(["ECONNRESET", 200]);
  const nulls = { createDelayMs: null, errorRate: null, createCommitThenDrop: null };
  expect((await faults({ ...nulls, attachmentStatus: 0, webhooks: null })).status).toBe(200);
  expect((await attempt()).status).toBe(200);
});

test("settings that make no sense are refused", async () => {
  const bad: Record<string, unknown>[] = [
    { errorRate: 2 },
    { createDelayMs: -1 },
    { createCommitThenDrop: 1.5 },
    { rateLimit: { limit: 1 } },
    { attachmentStatus: 99 },
    { webhooks: { drop: "often" } },
  ];
  for (const settings of bad) expect((await faults(settings)).status).toBe(400);
});
