import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { connect, mapVariant, readyRequest } from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { gid } from "../kernel/ids.ts";
import { describeRefusedEvents } from "../kernel/refusal-words.ts";
import { readHome } from "../reports/read-home.ts";
import { readSettings } from "../reports/read-settings.ts";
import { readSimulations } from "../reports/read-simulations.ts";
import { describeOutage, describeTestNow, lastAnsweredAt } from "./connection-words.ts";
import { readFailing } from "./read-failing.ts";

const db = await openTestDatabase();
const NO_PRODUCTS = {
  variants: async () => ({ variants: [], next: null }),
  publish: async () => ({ kind: "gone" as const }),
};
const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const tested = (lastTestOutcome: string, answered: number | null) =>
  describeTestNow(
    {
      lastTestOutcome,
      lastTestedAt: at(0),
      answeredAt: answered === null ? null : at(answered),
      failing: null,
    },
    describeFailure,
  );

test.each(["connection", "timeout", "server", "unauthorized", "contract_mismatch", "rate_limited"])(
  "forgets a test that failed (%s) once a later call was answered",
  (failure) => {
    const outcome = `referral_service_${failure}`;
    expect(tested(outcome, null)).not.toBeNull();
    expect(tested(outcome, -5)).not.toBeNull();
    expect(tested(outcome, 5)).toBeNull();
  },
);

test("keeps a refusal that another call's answer does not disprove, and forgets a token's", () => {
  expect(tested("not_entitled", 5)).not.toBeNull();
  expect(tested("110", -5)).not.toBeNull();
  expect(tested("110", 5)).toBeNull();
});

test("a test that passed is an answer, before calls are written down", () => {
  const tested = { lastTestOutcome: "ok", lastTestedAt: START };
  expect(lastAnsweredAt({ ...tested, answeredAt: null })).toEqual(START);
  const later = new Date(START.getTime() + 1000);
  expect(lastAnsweredAt({ ...tested, answeredAt: later })).toEqual(later);
  expect(lastAnsweredAt({ ...tested, lastTestOutcome: "110", answeredAt: null })).toBeNull();
});

async function start() {
  const { shop, ports, clock } = await startLedger(db);
  for (const environment of ["staging", "production"] as const) {
    await connect(db, shop, environment);
    await mapVariant(db, shop, gid("ProductVariant", 1), { environment });
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordTest(environment, { outcome: "ok", at: clock.now() }),
    );
  }
  clock.advance(60_000);
  return {
    shop,
    ports,
    clock,
    home: () => readHome(ports, shop),
    onSettings: async () => {
      const { connections } = await readSettings({ ...ports, emailByService: false }, shop);
      return connections.find(({ environment }) => environment === "staging");
    },
    isReady: async () => {
      const { preflight } = await readSettings({ ...ports, emailByService: false }, shop);
      return preflight?.find(({ code }) => code === "connection")?.isMet;
    },
    fails: (failureCode: string | null) =>
      db.tenancy.inShop(shop, async ({ connections }) => {
        const now = clock.now();
        const calls = failureCode
          ? { answeredAt: null, failingSince: now, failureCode }
          : { answeredAt: now, failingSince: null, failureCode: null };
        for (const environment of ["staging", "production"] as const)
          await connections.recordCalls(environment, calls);
      }),
    add: (count: number, environment: "staging" | "production" = "staging") =>
      db.tenancy.inShop(shop, (tenant) =>
        tenant.accessLog.add({
          ...{ at: clock.now(), who: "unknown", what: "signature_refused" },
          detail: { place: "service_event", count, environment },
        }),
      ),
    event: () =>
      db.tenancy.inShop(shop, ({ connections }) =>
        connections.recordEvent("staging", { at: clock.now(), isReadable: true }),
      ),
  };
}

test("counts no connection as set up, or ready for going live, whose credentials are refused since its test", async () => {
  const { fails, home, isReady } = await start();
  expect((await home()).setup.isConnected).toBe(true);
  expect(await isReady()).toBe(true);
  await fails("referral_service_unauthorized");
  expect((await home()).setup.isConnected).toBe(false);
  expect(await isReady()).toBe(false);
  await fails(null);
  expect((await home()).setup.isConnected).toBe(true);
  // Orders wait through an outage and go on by themselves.
  await fails("referral_service_connection");
  expect((await home()).setup.isConnected).toBe(true);
});

test("ends a refusal of the credentials as soon as a test passes", async () => {
  const { fails, home, shop, ports, clock } = await start();
  const simulations = () => readSimulations({ ...ports, storeProducts: NO_PRODUCTS }, shop);
  await fails("referral_service_unauthorized");
  expect((await home()).connection?.failing).not.toBeNull();
  // Nothing is simulated with credentials that the service refuses.
  expect((await simulations()).isConnected).toBe(false);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.connections.recordTest("staging", { outcome: "ok", at: clock.now() }),
  );
  expect((await home()).setup.isConnected).toBe(true);
  expect((await home()).connection?.failing).toBeNull();
  expect((await simulations()).isConnected).toBe(true);
});

test("leads from a refusal to the settings, and from an outage nowhere", () => {
  const of = (code: string) =>
    describeOutage({ since: START, code }, { now: START, describeFailure })?.action;
  expect(of("referral_service_unauthorized")?.url).toBe("/app/settings/connection");
  expect(of("referral_service_connection")).toBeNull();
});

test("asks nothing of the merchant where the service can't be reached from here", () => {
  const of = (code: string) =>
    describeOutage({ since: START, code }, { now: at(90), describeFailure });
  const here = of("referral_service_unreachable");
  expect(here).toMatchObject({ title: "Pathway can’t reach the referral service", action: null });
  expect(here?.nextStep).toContain("Pathway’s operator has been told");
  expect(here?.nextStep).not.toContain("support");
  expect(of("referral_service_connection")?.nextStep).toContain("ask the service’s support");
});

test("says that events fail from a wrong signature on, until one is believed", async () => {
  const { add, clock, event, home, onSettings } = await start();
  expect((await home()).areEventsFailing).toBe(false);
  await add(9);
  expect(await home()).toMatchObject({ areEventsFailing: true, refusedEvents: 9 });
  // Told where it is mended as well.
  expect(await onSettings()).toMatchObject({ areEventsFailing: true, refusedEvents: 9 });
  clock.advance(60_000);
  await event();
  expect(await home()).toMatchObject({ areEventsFailing: false, refusedEvents: 9 });
  expect(await onSettings()).toMatchObject({ areEventsFailing: false });
  // Nobody copies a secret that is right.
  expect(describeRefusedEvents(9)?.nextStep).toContain("Copy the signing secret");
  expect(describeRefusedEvents(9, { isOver: true })?.nextStep).toContain("don’t have to do");
});

test("counts no events of one connection against the other", async () => {
  const { home, add, clock } = await start();
  await add(5, "production");
  clock.advance(60_000);
  expect(await home()).toMatchObject({ refusedEvents: 0, areEventsFailing: false });
  await add(2, "staging");
  expect(await home()).toMatchObject({ refusedEvents: 2, areEventsFailing: true });
});

test("an outage says how many tests wait for the service", async () => {
  const { shop, ports, clock, fails, home } = await start();
  await fails("referral_service_timeout");
  const said = async () =>
    describeOutage(await readFailing(ports, shop), { now: clock.now(), describeFailure })?.byItself;
  expect(await said()).toMatch(/^Paid orders are stored/);
  // Its details are there, and nothing is left to do but to send it.
  await readyRequest(db, shop);
  expect(await said()).toMatch(/^1 test waits for it\. Paid orders are stored/);
  expect((await home()).failing?.waiting).toBe(1);
  expect(
    describeOutage({ since: START, code: "x", waiting: 1001 }, { now: START, describeFailure }),
  ).toMatchObject({ byItself: expect.stringMatching(/^More than 1,000 tests wait for it\./) });
});

test("a service that takes no orders and answers everything else is told while a test waits for it", async () => {
  const { shop, ports, clock, home } = await start();
  const since = clock.now();
  await db.tenancy.inShop(shop, ({ connections }) =>
    connections.recordCalls("staging", {
      ...{ answeredAt: since, failingSince: null, failureCode: null },
      orders: { answeredAt: null, failingSince: since },
    }),
  );
  const said = async () =>
    describeOutage(await readFailing(ports, shop), { now: clock.now(), describeFailure });
  // It was cancelled meanwhile, or there never was another: nobody knows whether the next one is taken.
  expect(await said()).toBeNull();
  expect((await home()).failing).toBeNull();
  await readyRequest(db, shop);
  expect(await said()).toMatchObject({
    ...{ title: "The referral service takes no orders", badge: "Takes no orders", since },
    sentence: "The referral service answers other calls, but takes no orders.",
    byItself: expect.stringMatching(
      /^1 test waits for it\. Paid orders are stored and sent by themselves once it takes them\./,
    ),
    ...{ action: null, isDown: false },
  });
  expect((await home()).failing).toMatchObject({ since, waiting: 1 });
  clock.advance(2 * 60_000);
  expect((await said())?.isDown).toBe(true);
  await db.tenancy.inShop(shop, ({ connections }) =>
    connections.recordCalls("staging", {
      ...{ answeredAt: clock.now(), failingSince: null, failureCode: null },
      orders: { answeredAt: clock.now(), failingSince: null },
    }),
  );
  expect(await said()).toBeNull();
});

test("an outage of production is told while real tests are under way, wherever new orders go", async () => {
  const { shop, ports, clock, fails } = await start();
  await fails("referral_service_unauthorized");
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.connections.recordCalls("staging", {
      ...{ answeredAt: clock.now(), failingSince: null, failureCode: null },
    }),
  );
  const read = () => readFailing(ports, shop);
  // Nobody waits for production.
  expect(await read()).toBeNull();
  const requestId = await readyRequest(db, shop);
  await db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, requestId, { state: "created" });
    await tenant.referrals.save("production", requestId, referralSnapshot(), clock.now());
  });
  const failing = await read();
  expect(failing).toMatchObject({ elsewhere: "production" });
  const outage = describeOutage(failing, { now: clock.now(), describeFailure });
  expect(outage?.title).toBe("Production doesn’t accept your credentials");
  expect(outage?.byItself).toMatch(/^New orders are not affected/);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.shops.updateSettings({ environment: "production" }),
  );
  expect(await read()).toMatchObject({ elsewhere: null });
});
