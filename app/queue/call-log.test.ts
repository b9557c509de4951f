import { expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { connect, installedShop } from "../../test/database/seed.ts";
import { keptLog } from "../../test/samples/kept-log.ts";
import { createCircuitBreaker } from "../clients/referral-service/circuit-breaker.ts";
import { createRateLimiter } from "../clients/referral-service/rate-limiter.ts";
import { answer, startServer } from "../clients/referral-service/testing/start-server.ts";
import { startService } from "../clients/referral-service/testing/start-service.ts";
import { sampleOrder } from "../clients/referral-service/testing/wire-samples.ts";
import { createLogger } from "../platform/logger.ts";
import { type CallOutcome, createCallLog } from "./call-log.ts";

const db = await openTestDatabase();

async function start(logger = createLogger("silent")) {
  const shop = await installedShop(db);
  await connect(db, shop);
  let now = new Date("2026-11-20T00:00:00Z");
  const log = createCallLog({ tenancy: db.tenancy, clock: { now: () => now }, logger });
  const stored = async () => {
    const connection = await db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.find("staging"),
    );
    return { answeredAt: connection?.answeredAt, failing: connection?.failing };
  };
  const ordersFailingSince = async () =>
    (await db.tenancy.inShop(shop, (tenant) => tenant.connections.find("staging")))
      ?.ordersFailingSince;
  return {
    ...{ shop, log, stored, ordersFailingSince },
    /** A minute later than what happened before. */
    later() {
      now = new Date(now.getTime() + 60_000);
      return now;
    },
  };
}

/** Lets the row of a shop's connection be written by nobody, as the time for a lock runs out. */
async function held(shop: string) {
  await db.pool.query(
    `CREATE FUNCTION run_out() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'no lock' USING ERRCODE = '55P03'; END $$;
     CREATE TRIGGER run_out BEFORE UPDATE ON connections
       FOR EACH ROW WHEN (OLD.shop = '${shop}') EXECUTE FUNCTION run_out()`,
  );
  const letGo = async () => void (await db.pool.query("DROP FUNCTION IF EXISTS run_out CASCADE"));
  return { letGo, [Symbol.asyncDispose]: letGo };
}

test("failures keep their beginning over many turns, and one answer ends them", async () => {
  const { shop, log, stored, later } = await start();
  const answered = later();
  log.note(shop, "staging", { failure: null });
  await log.flush();
  expect(await stored()).toEqual({ answeredAt: answered, failing: null });
  const began = later();
  for (const failure of ["connection", "server", "timeout"] as const) {
    log.note(shop, "staging", { failure });
    await log.flush();
    later();
  }
  const failing = { since: began, code: "referral_service_timeout" };
  expect(await stored()).toEqual({ answeredAt: answered, failing });
  log.note(shop, "staging", { failure: "connection" });
  const again = later();
  log.note(shop, "staging", { failure: "rejected" });
  await log.flush();
  expect(await stored()).toEqual({ answeredAt: again, failing: null });
});

test("what cannot be written waits, and never replaces what is newer", async () => {
  const { shop, log, stored, later } = await start();
  const began = later();
  log.note(shop, "staging", { failure: "connection" });
  await db.whileDown(async () => {
    await expect(log.flush()).rejects.toThrow();
  });
  await log.flush();
  expect(await stored()).toMatchObject({ failing: { since: began } });
});

test("a connection that somebody else has locked keeps no other's calls from being written", async () => {
  const locked = await start();
  const other = await installedShop(db);
  await connect(db, other);
  const at = locked.later();
  locked.log.note(locked.shop, "staging", { failure: "connection" });
  locked.log.note(other, "staging", { failure: "connection" });
  await using holder = await held(locked.shop);
  await expect(locked.log.flush()).rejects.toThrow();
  await expect(locked.log.flush()).rejects.toThrow();
  const connection = await db.tenancy.inShop(other, ({ connections }) =>
    connections.find("staging"),
  );
  expect(connection?.failing).toMatchObject({ since: at });
  await holder.letGo();
  await locked.log.flush();
  expect(await locked.stored()).toMatchObject({ failing: { since: at } });
});

test("a service that does not work is told to whoever made its client", async () => {
  const { shop, log, stored } = await start();
  const { client } = await startService((_, response) => answer(response, 503, {}), {
    client: { onCall: (call) => log.note(shop, "staging", call) },
  });
  await expect(client.getReferral("1")).rejects.toThrow();
  await log.flush();
  expect(await stored()).toMatchObject({ failing: { code: "referral_service_server" } });
});

test("a service that answers each call with too many is none that works, also while its pause is kept", async () => {
  const { shop, log, stored, later } = await start();
  let status = 200;
  const middleware = createRateLimiter({ clock: { now: () => new Date() } });
  const { client } = await startService(
    (_, response) => answer(response, status, status === 200 ? [] : {}, { "retry-after": "1" }),
    { client: { middleware, onCall: (call) => log.note(shop, "staging", call) } },
  );
  const began = later();
  status = 429;
  await expect(client.listTests()).rejects.toThrow("429");
  await log.flush();
  later();
  await log.flush();
  const failing = { since: began, code: "referral_service_rate_limited" };
  expect(await stored()).toMatchObject({ failing });
  status = 200;
  await client.listTests();
  await log.flush();
  expect(await stored()).toMatchObject({ failing: null });
});

test("orders alone that a service does not take are noted until it answers one", async () => {
  const { shop, log, stored, ordersFailingSince, later } = await start();
  let status = 503;
  const { client } = await startService(
    ({ method }, response) =>
      method === "POST" ? answer(response, status, {}) : answer(response, 200, []),
    { client: { onCall: (call) => log.note(shop, "staging", call) } },
  );
  const order = () =>
    client.createReferral(sampleOrder(), { deadlineAt: new Date(Date.now() + 60_000) });
  const began = later();
  await order();
  await client.listTests();
  await log.flush();
  later();
  status = 429;
  await order();
  await log.flush();
  await client.listTests();
  await log.flush();
  expect(await stored()).toMatchObject({ failing: null });
  expect(await ordersFailingSince()).toEqual(began);
  // A refusal is an answer. An order that fails after it begins anew.
  status = 422;
  await order();
  const anew = later();
  status = 503;
  await order();
  await log.flush();
  expect(await ordersFailingSince()).toEqual(anew);
  status = 422;
  await order();
  await log.flush();
  expect(await ordersFailingSince()).toBeNull();
});

test("an order that did not leave says nothing of orders", async () => {
  const { shop, log, ordersFailingSince } = await start();
  const { client } = await startService((_, response) => answer(response, 200, {}), {
    client: { baseUrl: "http://127.0.0.1:1", onCall: (call) => log.note(shop, "staging", call) },
  });
  await client.createReferral(sampleOrder(), { deadlineAt: new Date(Date.now() + 60_000) });
  await log.flush();
  expect(await ordersFailingSince()).toBeNull();
});

test("what is wrong stays what it was while the service is spared", async () => {
  const { shop, log, stored } = await start();
  const middleware = createCircuitBreaker({ clock: { now: () => new Date() }, failuresToOpen: 1 });
  const { client } = await startService((_, response) => answer(response, 503, {}), {
    client: { middleware, onCall: (call) => log.note(shop, "staging", call) },
  });
  await expect(client.getReferral("1")).rejects.toThrow("503");
  await expect(client.getReferral("1")).rejects.toThrow("has not answered lately");
  await log.flush();
  expect(await stored()).toMatchObject({ failing: { code: "referral_service_server" } });
});

test("says once a minute by which code no call arrives, whoever called", async () => {
  const { logger, lines } = keptLog("warn");
  const { shop, log } = await start(logger);
  const { client } = await startService((_, response) => answer(response, 200, {}), {
    client: {
      baseUrl: "http://127.0.0.1:1",
      middleware: createCircuitBreaker({ clock: { now: () => new Date() }, failuresToOpen: 1 }),
      onCall: (call) => log.note(shop, "staging", call),
    },
  });
  const inTime = { deadlineAt: new Date(Date.now() + 60_000) };
  // An attempt that was not sent and a test of the connection are outcomes to those who ask, and no failure of a job.
  await client.createReferral(sampleOrder(), inTime);
  await expect(client.listTests()).rejects.toThrow("has not answered lately");
  expect(lines).toMatchObject([
    {
      shop,
      environment: "staging",
      code: "ECONNREFUSED",
      msg: "the referral service does not answer",
    },
  ]);
});

test("says that this machine is at fault where it can't look up a name, also while the service is spared", async () => {
  const { shop, log, stored } = await start();
  const middleware = createCircuitBreaker({ clock: { now: () => new Date() }, failuresToOpen: 1 });
  const { client } = await startService((_, response) => answer(response, 200, {}), {
    client: {
      baseUrl: "http://service.invalid",
      middleware,
      onCall: (call) => log.note(shop, "staging", call),
    },
  });
  await expect(client.getReferral("1")).rejects.toMatchObject({ failure: "connection" });
  await log.flush();
  const failing = { code: "referral_service_unreachable" };
  expect(await stored()).toMatchObject({ failing });
  await expect(client.getReferral("1")).rejects.toThrow("has not answered lately");
  await log.flush();
  expect(await stored()).toMatchObject({ failing });
  // The service refuses: this machine reaches it.
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  log.note(shop, "staging", { failure: "connection", error: new Error("refused", { cause }) });
  await log.flush();
  expect(await stored()).toMatchObject({ failing: { code: "referral_service_connection" } });
});

test("a token service that does not work is told, and what this process gave up is not", async () => {
  const { shop, log, stored } = await start();
  const onCall = (call: CallOutcome) => log.note(shop, "staging", call);
  const { client } = await startService((_, response) => answer(response, 200, {}), {
    client: { onCall },
  });
  await client.createReferral(sampleOrder(), { deadlineAt: new Date(0) });
  const stopped = await startService((_, response) => answer(response, 200, {}), {
    client: { onCall, abortOnShutdown: AbortSignal.abort() },
  });
  await stopped.client.createReferral(sampleOrder(), { deadlineAt: new Date(Date.now() + 60_000) });
  await log.flush();
  expect(await stored()).toMatchObject({ failing: null });
  const broken = await startServer((_, response) => answer(response, 503, {}));
  const without = await startService((_, response) => answer(response, 200, {}), {
    client: { onCall },
    tokens: { authUrl: broken.url },
  });
  await expect(without.client.getReferral("1")).rejects.toThrow("no access token");
  await log.flush();
  expect(await stored()).toMatchObject({ failing: { code: "referral_service_server" } });
});

test("what was noted of a shop that is erased by then makes it no key again", async () => {
  const clock = { now: () => new Date() };
  const log = createCallLog({ tenancy: db.tenancy, clock, logger: createLogger("silent") });
  log.note("erased.myshopify.com", "staging", { failure: null });
  await log.flush();
  const { rows } = await db.pool.query(
    "SELECT shop FROM key_epochs WHERE shop = $1 UNION ALL SELECT shop FROM data_keys WHERE shop = $1",
    ["erased.myshopify.com"],
  );
  expect(rows).toEqual([]);
});
