/** Long because each figure that an alert reads is seen to move. */
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../test/database/database.ts";
import { installedShop } from "../test/database/seed.ts";
import { SILENT_LOOP } from "../test/database/vitals.ts";
import { readMetrics, type Sample, sampleOf } from "../test/harness/metrics.ts";
import { openAdminPort } from "./admin-server.ts";
import { answer } from "./clients/referral-service/testing/start-server.ts";
import { startService } from "./clients/referral-service/testing/start-service.ts";
import { API_VERSION, versionEndsAt } from "./clients/shopify/api-version.ts";
import { JOB_NAMES } from "./jobs/definitions.ts";
import { createMetrics } from "./metrics.ts";
import { MAIL_OUTCOMES } from "./platform/counters.ts";
import { ReferralServiceError } from "./platform/errors.ts";
import { createLogger } from "./platform/logger.ts";
import { tolerate } from "./platform/tolerate.ts";
import { watchDueJobs } from "./queue/due-jobs.ts";
import { prepared, startEngine } from "./queue/engine.ts";
import { startJobRunner } from "./queue/job-runner.ts";
import { REFUSAL_PLACES } from "./queue/refusal-log.ts";
import { watchVitals } from "./queue/vitals.ts";
import { startIntake, webhookHeaders } from "./web/intake/testing/start-intake.ts";

const logger = createLogger("silent");
const db = await openTestDatabase();
const engine = await startEngine({ databaseUrl: db.url, logger, poolSize: 4 });
const vitals = watchVitals({ pool: db.pool, logger, onHang: () => {} });
const metrics = createMetrics({
  pools: { app: db.pool, jobs: engine.pool },
  clock: { measuredSkewMs: () => -1_500 },
  roles: ["web", "worker"],
  vitals,
  logger,
});
let url: string;
/** Opens the port of a process with these roles, and returns its address. */
async function openPort(roles: readonly ("web" | "worker")[]) {
  const server = await openAdminPort(vitals, { port: 0, host: "127.0.0.1", roles, metrics });
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
let urlOfWeb: string;
beforeAll(async () => {
  url = await openPort(["web", "worker"]);
  urlOfWeb = await openPort(["web"]);
});
afterAll(async () => {
  vitals.stop();
  await engine.stop();
});

/** The counters are the process's: files before this one have counted. */
const countedBefore: Sample[] = [];
beforeAll(async () => void countedBefore.push(...(await scrape()).samples));

/** Reads the metrics as a scrape finds them now; totals are those of this file. */
async function scrape() {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  const text = await response.text();
  const samples = readMetrics(text);
  return {
    text,
    samples,
    value(name: string, labels?: Record<string, string>) {
      const now = sampleOf(samples, name, labels);
      const before = name.endsWith("_total") ? sampleOf(countedBefore, name, labels) : undefined;
      return now === undefined ? undefined : now - (before ?? 0);
    },
  };
}

test("tells memory, clock and connections of the process", async () => {
  const { value } = await scrape();
  expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
  expect(value("pathway_clock_skew_seconds")).toBe(-1.5);
  expect(value("pathway_store_version_ends_seconds")).toBe(versionEndsAt(API_VERSION) / 1_000);
  expect(value("pathway_store_version_answers_total", { state: "retired" })).toBe(0);
  const client = await db.pool.connect();
  const busy = await scrape();
  client.release();
  expect(busy.value("pathway_database_connections", { pool: "app", state: "in_use" })).toBe(1);
  expect(busy.value("pathway_database_connections", { pool: "jobs", state: "waiting" })).toBe(0);
});

test("counts failures of a loop by its name and code", async () => {
  const loop = vitals.loop("relay");
  const labels = { loop: "relay", code: "53300" };
  loop.failed(Object.assign(new Error("too many"), { code: "53300" }));
  loop.failed(Object.assign(new Error("too many"), { code: "53300" }));
  loop.turned();
  expect((await scrape()).value("pathway_loop_failures_total", labels)).toBe(2);
});

test("counts errors that may be left alone by place and code", async () => {
  tolerate(logger, "lease.renew")(Object.assign(new Error("gone"), { code: "08006" }));
  const labels = { at: "lease.renew", code: "08006" };
  expect((await scrape()).value("pathway_tolerated_errors_total", labels)).toBe(1);
});

test("counts jobs by kind and end, and those that wait", async () => {
  const shop = await installedShop(db);
  const jobs = ["good", "late", "hopeless"].map((key) => ({
    data: { key },
    singletonKey: key,
    group: { id: shop },
  }));
  await engine.boss.insert("publish-order-status", jobs);
  await engine.boss.insert("read-store", jobs);
  await expect
    .poll(async () => (await scrape()).value("pathway_jobs_waiting", { kind: "read-store" }), {
      timeout: 10_000,
    })
    .toBe(3);
  const runner = startJobRunner({
    name: "publish-order-status",
    boss: engine.boss,
    db: prepared(engine.pool),
    concurrency: { slots: 5, slotsForOneShop: 5 },
    task: async (payload) => {
      const { key } = payload as { key: string };
      if (key === "hopeless") throw new ReferralServiceError("rejected", "refused");
      if (key === "late") throw new Error("not yet");
    },
    logger,
    loop: SILENT_LOOP,
    restMs: 10_000,
  });
  const due = watchDueJobs({
    ...{ db: prepared(engine.pool), names: ["publish-order-status"], loop: SILENT_LOOP },
    onDue: runner.wake,
  });
  onTestFinished(() => due.stop());
  onTestFinished(() => runner.close());
  const ended = async (outcome: string) =>
    (await scrape()).value("pathway_jobs_total", { kind: "publish-order-status", outcome });
  await expect.poll(() => ended("completed")).toBe(1);
  await expect.poll(() => ended("failed")).toBeGreaterThanOrEqual(1);
  await expect.poll(() => ended("given_up")).toBe(1);
});

test("tells how old the oldest row of the outbox and of the inbox is", async () => {
  const shop = await installedShop(db);
  await db.pool.query("TRUNCATE inbox, outbox");
  const empty = await scrape();
  expect(empty.value("pathway_outbox_age_seconds")).toBe(0);
  expect(empty.value("pathway_inbox_age_seconds")).toBe(0);
  await db.pool.query(
    `INSERT INTO outbox (shop, name, singleton_key, payload, created_at)
     VALUES ($1, 'maintain-shop', 'a', '{}', now() - interval '90 seconds')`,
    [shop],
  );
  await db.pool.query(
    `INSERT INTO inbox (shop, source, topic, event_id, received_at)
     VALUES ($1, 'shopify', 'orders/paid', 'event', now() - interval '30 seconds')`,
    [shop],
  );
  const { value, text } = await scrape();
  expect(Math.floor(value("pathway_outbox_age_seconds") ?? 0)).toBe(90);
  expect(Math.floor(value("pathway_inbox_age_seconds") ?? 0)).toBe(30);
  expect(text).not.toContain(shop);
});

test("counts webhooks that were accepted, and why others were refused", async () => {
  const { url: intake } = await startIntake(db);
  const body = JSON.stringify({ id: 1 });
  const post = (path: string, headers: Record<string, string>, sent = body) =>
    fetch(`${intake}${path}`, { method: "POST", headers, body: sent });
  expect((await post("/webhooks", webhookHeaders(body))).status).toBe(200);
  expect((await post("/webhooks", webhookHeaders(body, { secret: "wrong" }))).status).toBe(401);
  expect((await post(`/events/${"a".repeat(20)}`, {})).status).toBe(404);
  const { value, text } = await scrape();
  const count = (source: string, outcome: string) =>
    value("pathway_webhooks_total", { source, outcome });
  expect(count("shopify", "accepted")).toBe(1);
  expect(count("shopify", "bad_signature")).toBe(1);
  expect(count("service", "unknown_address")).toBe(1);
  expect(text).not.toContain("myshopify.com");
});

test("counts calls to the service by what became of them", async () => {
  const answers = [200, 503, 200];
  const { client } = await startService((_request, response) => {
    const status = answers.shift() ?? 200;
    answer(response, status, status === 200 && answers.length === 0 ? { odd: true } : []);
  });
  await client.listTests();
  await expect(client.listTests()).rejects.toThrow("503");
  await expect(client.listTests()).rejects.toMatchObject({ failure: "contract_mismatch" });
  const { value } = await scrape();
  const count = (outcome: string) =>
    value("pathway_service_calls_total", { environment: "staging", method: "GET", outcome });
  expect(count("success")).toBe(1);
  expect(count("server")).toBe(1);
  expect(count("contract_mismatch")).toBe(1);
});

test("counts a call that found no service as one, with the failures of a service that is away", async () => {
  const { client, server } = await startService((_request, response) => answer(response, 200, []));
  await client.listTests();
  await server.stop();
  // On the connection that was there, on none, and not even tried because the others failed.
  const calls = await Promise.allSettled(Array.from({ length: 10 }, () => client.listTests()));
  for (const call of calls) expect(call).toMatchObject({ reason: { failure: "connection" } });
  const { value } = await scrape();
  expect(
    value("pathway_service_calls_total", {
      environment: "staging",
      method: "GET",
      outcome: "connection",
    }),
  ).toBe(10);
  expect(
    value("pathway_service_calls_total", {
      environment: "staging",
      method: "GET",
      outcome: "not_sent",
    }),
  ).toBe(undefined);
});

test("tells from the start, as nothing, what an alert counts: it would miss the first otherwise", async () => {
  const { samples } = await scrape();
  const isTold = (name: string, labels: Record<string, string> = {}) =>
    expect(sampleOf(samples, name, labels), `${name} ${JSON.stringify(labels)}`).toBeDefined();
  for (const outcome of ["completed", "failed", "given_up"])
    for (const kind of JOB_NAMES) isTold("pathway_jobs_total", { kind, outcome });
  for (const place of REFUSAL_PLACES) isTold("pathway_refusals_total", { place });
  for (const source of ["shopify", "service"])
    for (const outcome of ["accepted", "not_stored", "overloaded", "no_room"])
      isTold("pathway_webhooks_total", { source, outcome });
  for (const outcome of MAIL_OUTCOMES) isTold("pathway_mails_total", { outcome });
  for (const operation of ["ask", "place", "delete"])
    isTold("pathway_document_store_failures_total", {
      ...{ operation, code: "document_store_not_owner" },
    });
  for (const operation of ["ask", "place", "read", "list", "delete"])
    isTold("pathway_document_store_failures_total", {
      ...{ operation, code: "document_store_unreachable" },
    });
  for (const code of ["document_store_not_set_up", "document_store_empty"])
    isTold("pathway_document_store_failures_total", { operation: "read", code });
  for (const code of ["master_key_missing", "key_store_missing", "key_folder_older"])
    isTold("pathway_loop_failures_total", { loop: "keys", code });
  isTold("pathway_documents_lost_total");
  isTold("pathway_duplicate_referrals_total");
  isTold("pathway_details_mail_seconds_bucket", { le: "60" });
  isTold("pathway_create_begun_seconds_bucket", { le: "60" });
  isTold("pathway_document_seconds_bucket", { document: "result", le: "60" });
});

test("tells for each role of the process whether it is ready", async () => {
  const ready = async () => {
    const { value } = await scrape();
    return ["web", "worker"].map((role) => value("pathway_ready", { role }));
  };
  expect(await ready()).toEqual([0, 0]);
  vitals.ready();
  expect(vitals.reasons("worker")).toEqual([]);
  expect(await ready()).toEqual([1, 1]);
});

test("sends requests to a process of the role web whose work behind them stands still, and says so", async () => {
  const relay = vitals.loop("relay");
  for (let times = 0; times < 2; times++) relay.failed(new Error("somebody holds a lock"));
  const readyz = await fetch(`${urlOfWeb}/readyz`);
  expect(readyz.status).toBe(200);
  expect(await readyz.json()).toEqual({ ok: true, work: ["loop_failing:relay"] });
  const ofBoth = await fetch(`${url}/readyz`);
  expect(ofBoth.status).toBe(503);
  expect(await ofBoth.json()).toEqual({ reasons: ["loop_failing:relay"] });
  const { value } = await scrape();
  expect(value("pathway_ready", { role: "web" })).toBe(1);
  expect(value("pathway_ready", { role: "worker" })).toBe(0);
  relay.turned();
});

test("answers without the rows' ages while the database is away", async () => {
  await db.whileDown(async () => {
    const { value } = await scrape();
    expect(value("pathway_database_up")).toBe(0);
    expect(value("pathway_outbox_age_seconds")).toBeUndefined();
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });
  expect((await scrape()).value("pathway_database_up")).toBe(1);
});

test("tells since when a backup is overdue, and nothing where nobody notes backups", async () => {
  const overdue = async () =>
    (await scrape()).samples.find(({ name }) => name === "pathway_backup_overdue_seconds")?.value;
  await db.pool.query("DELETE FROM database_identity");
  expect(await overdue()).toBeUndefined();
  await db.pool.query("INSERT INTO database_identity (identity, noted_at) VALUES ('here', now())");
  expect(await overdue()).toBeUndefined();
  const due = (when: string) =>
    db.pool.query(`UPDATE database_identity SET backup_due_at = now() + interval '${when}'`);
  await due("26 hours");
  expect(await overdue()).toBe(0);
  await due("-3 hours");
  expect(await overdue()).toBeCloseTo(10_800, -2);
});
