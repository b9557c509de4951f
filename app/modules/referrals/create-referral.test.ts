import { describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, type Ledger, startLedger } from "../../../test/database/ledger.ts";
import { untilWaiting, whoHoldsRequest } from "../../../test/database/locks.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { startRequest } from "../../../test/database/request.ts";
import { ONE_TEST, PATIENT, readyRequest } from "../../../test/database/seed.ts";
import type { CreateBehaviour } from "../../../test/database/small-service.ts";
import { askPool } from "../../platform/encryption/data-keys.ts";
import { createReferral } from "./create-referral.ts";
import { releaseRequest } from "./release-request.ts";

const db = await openTestDatabase();
const start = (settings: Parameters<typeof startLedger>[1] = {}) => startRequest(db, settings);

describe("one create call", () => {
  test("answered with a referral: created, and fetched again", async () => {
    const { create, now, service, story, requestId, takeJobs, shop } = await start();
    const outcome = await create();
    expect(outcome).toEqual({ kind: "created", uuids: [service.referrals[0]?.uuid] });
    expect(await now()).toBe("created");
    expect(await story(requestId)).toEqual(["create_started", "create_succeeded"]);
    expect(await takeJobs()).toEqual(["refetch-referral"]);
    expect(service.calls[0]).toMatchObject({
      metadata: { requestId, shop, unit: 1, generation: 1 },
    });
  });

  test("holds no request while it waits for an install, which may wait for that", async () => {
    const { create, shop, requestId, clock } = await start();
    await db.pool.query("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", [shop]);
    let claiming: ReturnType<typeof create> | undefined;
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.shops.install("read_orders", clock.now());
      claiming ??= create();
      await untilWaiting(db, 1);
      const now = "SELECT id FROM referral_requests WHERE id = $1 FOR UPDATE NOWAIT";
      expect((await db.pool.query(now, [requestId])).rows).toHaveLength(1);
    });
    expect(await claiming).toMatchObject({ kind: "created" });
  });

  test("is on disk as sending, with attempt and deadline, before a byte leaves", async () => {
    const ledger = await start();
    let seen: unknown;
    const services = {
      forConnection: async () => {
        seen = await ledger.find();
        return null;
      },
    };
    await createReferral({ ...ledger.ports, services }, ledger.target);
    const deadline = new Date(ledger.clock.now().getTime() + CREATE_TIMEOUT_MS);
    expect(seen).toMatchObject({ state: "sending", attempt: 1, attemptDeadlineAt: deadline });
  });

  test("refused by the service: rejected, and not sent again by itself", async () => {
    const { create, now, service, find, takeJobs } = await start();
    service.next("reject");
    expect(await create()).toEqual({ kind: "rejected", code: "INVALID_PAYLOAD" });
    expect(await now()).toBe("rejected");
    expect((await find())?.reviewReason).toEqual({ code: "rejected", detail: "INVALID_PAYLOAD" });
    expect(await takeJobs()).toEqual([]);
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toHaveLength(1);
  });

  test("a refused connection: ready again, and tried later", async () => {
    const ledger = await start();
    ledger.service.close();
    expect(await ledger.create()).toMatchObject({ kind: "postponed", until: expect.any(Date) });
    expect(await ledger.now()).toBe("ready");
    expect(await ledger.takeJobs()).toEqual(["create-referral"]);
    expect(await ledger.resolve()).toEqual({ kind: "nothing_to_resolve" });
  });

  test("told to come back at once: tried again, and not at once", async () => {
    const ledger = await start();
    const soon = { kind: "not_sent", reason: "429", retryable: true, retryAfterMs: 0 } as const;
    const real = await ledger.ports.services.forConnection(ledger.shop, "staging");
    if (!real) throw new Error("no service");
    const services = { forConnection: async () => ({ ...real, createReferral: async () => soon }) };
    const until = new Date(ledger.clock.now().getTime() + 5_000);
    expect(await createReferral({ ...ledger.ports, services }, ledger.target)).toEqual({
      kind: "postponed",
      until,
    });
  });

  test("a refused token: ready, waiting for a person", async () => {
    const { create, now, find, service, takeJobs } = await start();
    service.next("unauthorized", "unauthorized");
    expect(await create()).toEqual({ kind: "postponed", until: null });
    expect(await now()).toBe("ready");
    expect((await find())?.reviewReason?.code).toBe("not_sent");
    expect(await takeJobs()).toEqual([]);
  });

  test("without a connection: ready, waiting for a person", async () => {
    const ledger = await start();
    const services = { forConnection: async () => null };
    expect(await createReferral({ ...ledger.ports, services }, ledger.target)).toEqual({
      kind: "postponed",
      until: null,
    });
    expect((await ledger.find())?.reviewReason).toEqual({
      code: "not_sent",
      detail: "no_connection",
    });
  });

  test.each<CreateBehaviour>([
    ...(["error_before", "error_after", "reset_before", "reset_after"] as const),
    ...(["hang_before", "hang_after"] as const),
  ])("%s: ambiguous, and looked for", async (behaviour) => {
    const { create, now, service, takeJobs } = await start();
    service.next(behaviour);
    expect(await create()).toEqual({ kind: "ambiguous" });
    expect(await now()).toBe("ambiguous");
    expect(await takeJobs()).toEqual(["resolve-ambiguous"]);
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toHaveLength(1);
  });

  test("asked for twenty times at once: sent once", async () => {
    const { create, service, now } = await start();
    const outcomes = await Promise.all(Array.from({ length: 20 }, create));
    expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(1);
    expect(service.calls).toHaveLength(1);
    expect(await now()).toBe("created");
  });

  test.each(["awaiting_details", "held", "cancelled", "rejected", "created"] as const)(
    "is not made for a request that is %s",
    async (state) => {
      const { create, service, target, shop } = await start();
      await db.tenancy.inShop(shop, (t) => putRequest(t, target.requestId, { state }));
      expect(await create()).toEqual({ kind: "not_due" });
      expect(service.calls).toEqual([]);
    },
  );

  test("is not made for a shop that has uninstalled", async () => {
    const { create, service, shop, clock } = await start();
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toEqual([]);
  });

  test("sends the details as they were last saved", async () => {
    const ledger = await start();
    const correction = await whoHoldsRequest(db, ledger.requestId);
    // The correction is being committed while the sender makes its claim.
    const creating = ledger.create();
    await untilWaiting(db, 1);
    const own = await db.sealers.forShop(ledger.shop);
    const keys = db.sealers.subjects(ledger.shop, own, askPool(db.pool));
    const sealer = await keys.sealer({ request: ledger.requestId });
    const place = { table: "referral_requests", column: "patient", row: ledger.requestId };
    const patient = { patient: { ...PATIENT, firstName: "Corrected" }, medicare: null };
    await correction.change(
      "UPDATE referral_requests SET patient_sealed = $2 WHERE id = $1",
      ledger.requestId,
      sealer.sealJson(place, patient),
    );
    await correction.end();
    await creating;
    expect(ledger.service.calls).toMatchObject([{ firstName: "Corrected" }]);
  });
});

describe("a Medicare order", () => {
  const practitioner = { name: "Dr Who", address: "1 St", providerNumber: "2426621B" };
  const items = { ...ONE_TEST, medicareTests: ["fbc"], practitioner };

  async function startMedicare() {
    const ledger = await startLedger(db);
    const requestId = await readyRequest(db, ledger.shop, { items });
    return { ...ledger, target: { shop: ledger.shop, requestId }, requestId };
  }
  const reviewReason = ({ shop, requestId }: { shop: Ledger["shop"]; requestId: string }) =>
    db.tenancy.inShop(
      shop,
      async (tenant) => (await tenant.requests.find(requestId))?.reviewReason,
    );

  test("has two referrals", async () => {
    const ledger = await startMedicare();
    expect(await createReferral(ledger.ports, ledger.target)).toMatchObject({ kind: "created" });
    expect(ledger.service.referrals.map(({ medicare }) => medicare).sort()).toEqual([false, true]);
    expect(await reviewReason(ledger)).toBeNull();
  });
});

test("an order that was held, and that the store does not show any more, stays with a person", async () => {
  const { ports, target, service, find, now, story, requestId } = await start();
  const readAs = (risk: "pending" | null) =>
    createReferral({ ...ports, orderRisk: { assess: async () => risk } }, target);
  expect(await readAs("pending")).toEqual({ kind: "not_due" });
  // Deleted as a fraud, or too old to be seen: nobody has said that it is clear.
  expect(await readAs(null)).toEqual({ kind: "not_due" });
  expect(await now()).toBe("held");
  expect(await find()).toMatchObject({ reviewReason: { code: "risk_pending" } });
  expect(await story(requestId)).toEqual(["risk_held"]);
  expect(service.calls).toEqual([]);
});

test("an order whose risk is pending is looked at again by itself, and sent once it is low", async () => {
  const { ports, target, service, create, takeJobs, now } = await start();
  const pending = { ...ports, orderRisk: { assess: async () => "pending" as const } };
  expect(await createReferral(pending, target)).toEqual({ kind: "not_due" });
  expect(await takeJobs()).toEqual(["create-referral"]);
  expect(await now()).toBe("held");
  expect(service.calls).toEqual([]);
  expect(await create()).toMatchObject({ kind: "created" });
});

test("a held order goes on when its shop holds such orders no more", async () => {
  const { ports, target, shop, service, now } = await start();
  const high = { ...ports, orderRisk: { assess: async () => "high" as const } };
  expect(await createReferral(high, target)).toEqual({ kind: "not_due" });
  expect(await now()).toBe("held");
  await db.pool.query("UPDATE shops SET hold_high_risk = false WHERE shop = $1", [shop]);
  expect(await createReferral(high, target)).toMatchObject({ kind: "created" });
  expect(service.calls).toHaveLength(1);
});

test("an order that a person released waits for no other word about its risk", async () => {
  const { ports, target, service } = await start();
  const high = { ...ports, orderRisk: { assess: async () => "high" as const } };
  expect(await createReferral(high, target)).toEqual({ kind: "not_due" });
  const released = await releaseRequest(ports, { ...target, actor: "staff:7" });
  expect(released).toEqual({ kind: "queued" });
  const silent = { ...ports, orderRisk: { assess: () => Promise.reject(new Error("away")) } };
  expect(await createReferral(silent, target)).toMatchObject({ kind: "created" });
  expect(service.calls).toHaveLength(1);
});

test.each([
  [true, false, true],
  [false, true, false],
  [null, true, true],
])(
  "a shop that says %s of the service's emails, in an installation that says %s, has them: %s",
  async (own, installation, expected) => {
    const { ports, target, shop, service } = await start();
    await db.pool.query("UPDATE shops SET email_by_service = $2 WHERE shop = $1", [shop, own]);
    await createReferral({ ...ports, emailByService: installation }, target);
    expect(service.calls).toMatchObject([{ emailReferralToCustomer: expected }]);
  },
);
