import { expect, onTestFinished, test } from "vitest";
import type { MovableClock } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS, servicesAt } from "../../../../test/database/ledger.ts";
import { dieAfterClaim, startRequest } from "../../../../test/database/request.ts";
import { startSmallService } from "../../../../test/database/small-service.ts";
import { createLogger } from "../../../platform/logger.ts";
import { maintainShop } from "../../lifecycle/maintain-shop.ts";
import { saveConnection } from "../../lifecycle/save-connection.ts";
import { cancelRequest } from "../../referrals/cancel-request.ts";
import { cancelUnit } from "../../referrals/cancel-unit.ts";
import { createReferral, REPORTING_GRACE_MS } from "../../referrals/create-referral.ts";
import { deleteReferrals } from "../../referrals/delete-referrals.ts";
import type { ReferralServices } from "../../referrals/ports.ts";
import { refetchWhenDue } from "../../referrals/refetch-when-due.ts";
import { resolveAmbiguous } from "../../referrals/resolve-ambiguous.ts";
import { disconnect } from "../disconnect.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const HOUR_MS = 3_600_000;

/** A ledger whose connection leads to one of two organisations, each with a list of its own, by its client id. */
async function start() {
  const ledger = await startRequest(db);
  const { shop, clock, service: a, target } = ledger;
  const b = await startSmallService(clock.now);
  onTestFinished(() => b.close());
  const ports = { ...ledger.ports, services: servicesOf({ a: a.url, b: b.url }, clock) };
  const save = (clientId: string | null, clientSecret = "secret") =>
    saveConnection(ports, {
      shop,
      input: {
        environment,
        credentials: clientId === null ? null : { clientId, clientSecret },
        signing: { scheme: "none", header: null, secret: null },
      },
      actor: "staff:1",
    });
  function servicesOf(urls: Record<string, string>, at: MovableClock): ReferralServices {
    const clients = new Map(Object.entries(urls).map(([id, url]) => [id, servicesAt(url, at)]));
    return {
      async forConnection() {
        const found = await db.tenancy.inShop(shop, (t) => t.connections.find(environment));
        return (
          (found && (await clients.get(found.clientId ?? "")?.forConnection(shop, environment))) ??
          null
        );
      },
    };
  }
  await save("a");
  clock.advance(HOUR_MS);
  return {
    ...ledger,
    ports,
    a,
    b,
    save,
    create: () => createReferral(ports, target),
    resolve: () => resolveAmbiguous(ports, target),
    setStrict: (strictMode: boolean) =>
      db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ strictMode })),
    disconnect: () => disconnect(ports, { shop, environment, actor: "staff:1" }),
  };
}

type Ledger = Awaited<ReturnType<typeof start>>;

async function scanToTheEnd({ resolve, clock }: Ledger) {
  await resolve();
  clock.advance(CREATE_TIMEOUT_MS + REPORTING_GRACE_MS + QUARANTINE_MS);
  const outcomes = [await resolve(), await resolve()];
  return outcomes.find(({ kind }) => kind !== "scan_again");
}

test("an attempt that was unclear when another client's credentials were saved is left to a person", async () => {
  const ledger = await start();
  const { a, b, create, save, find, takeJobs } = ledger;
  a.next("reset_after");
  await create();
  await takeJobs();
  await save("b");
  expect(await scanToTheEnd(ledger)).toEqual({ kind: "needs_person" });
  expect(await find()).toMatchObject({
    state: "ambiguous",
    reviewReason: { code: "ambiguous", detail: null },
  });
  expect(await takeJobs()).not.toContain("create-referral");
  expect(a.referrals).toHaveLength(1);
  expect(b.calls).toEqual([]);
  // With the first organisation's credentials again the list tells.
  await save("a");
  expect(await ledger.resolve()).toMatchObject({ kind: "linked" });
});

test("a person is asked once about one whose unit is then refunded, however often that is told", async () => {
  const ledger = await start();
  const { a, find, takeJobs, shop, requestId } = ledger;
  a.next("reset_after");
  await ledger.create();
  await ledger.save("b");
  await scanToTheEnd(ledger);
  const refund = () =>
    db.tenancy.inShop(shop, (tenant) =>
      cancelUnit(tenant, { id: requestId }, { by: "store", actor: "shopify", now: new Date() }),
    );
  await refund();
  expect(await ledger.resolve()).toEqual({ kind: "needs_person" });
  await takeJobs();
  for (let n = 0; n < 3; n++) {
    await refund();
    expect(await takeJobs()).toEqual([]);
    expect(await find()).toMatchObject({
      reviewReason: { code: "ambiguous", detail: null },
      cancellation: { requestedBy: "store", status: "requested" },
    });
  }
});

test("so is one that was being sent, and one whose first scan was read before", async () => {
  const sending = await start();
  await dieAfterClaim(sending);
  await sending.save("b");
  sending.clock.advance(CREATE_TIMEOUT_MS + REPORTING_GRACE_MS);
  expect(await scanToTheEnd(sending)).toEqual({ kind: "needs_person" });

  const scanned = await start();
  scanned.a.next("late");
  await scanned.create();
  scanned.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await scanned.resolve()).toMatchObject({ kind: "scan_again" });
  await scanned.save("b");
  expect(await scanToTheEnd(scanned)).toEqual({ kind: "needs_person" });
});

test("so is one whose connection was removed and made anew", async () => {
  const ledger = await start();
  ledger.a.next("reset_after");
  await ledger.create();
  await ledger.disconnect();
  await ledger.save("b");
  expect(await scanToTheEnd(ledger)).toEqual({ kind: "needs_person" });
  expect(ledger.b.calls).toEqual([]);
});

test("so is one that was left to a person before its connection was removed, when somebody has it looked for", async () => {
  const ledger = await start();
  await ledger.setStrict(true);
  ledger.a.next("reset_after");
  await ledger.create();
  for (const { uuid } of ledger.a.referrals) ledger.a.hidden.add(String(uuid));
  expect(await scanToTheEnd(ledger)).toEqual({ kind: "needs_person" });
  await ledger.setStrict(false);
  await ledger.disconnect();
  await ledger.save("b");
  expect(await ledger.resolve()).toEqual({ kind: "needs_person" });
});

test("an attempt that began while the credentials were being saved may have gone to either", async () => {
  const ledger = await start();
  await ledger.save("b");
  await ledger.save("a");
  ledger.clock.advance(1);
  ledger.a.next("reset_before");
  await ledger.create();
  expect(await scanToTheEnd(ledger)).toEqual({ kind: "needs_person" });
});

test("another secret of the same client, other signing, or a first connection change nothing", async () => {
  const ledger = await start();
  ledger.a.next("reset_before");
  await ledger.create();
  await ledger.save("a", "rotated");
  await ledger.save(null);
  expect(await scanToTheEnd(ledger)).toEqual({ kind: "resend" });
  await ledger.create();
  expect(ledger.a.referrals).toHaveLength(1);
});

test("asks for what was ordered with the former client, and tells what the new one does not find", async () => {
  const ledger = await start();
  const { a, shop, ports, find, takeJobs, clock, save } = ledger;
  await ledger.create();
  await takeJobs();
  const target = { shop, environment, uuid: String(a.referrals[0]?.uuid) };
  const asked = async (to: string) => {
    clock.advance(HOUR_MS);
    await save(to);
    return (await takeJobs()).filter((name) => name === "refetch-referral").length;
  };
  const tend = async () => {
    const later = { ...ports, logger: createLogger("silent"), maintenanceIntervalMs: HOUR_MS };
    await maintainShop(later, { shop });
    return (await takeJobs()).filter((name) => name === "refetch-referral").length;
  };
  expect(await asked("b")).toBe(1);
  // Lost jobs are queued again, until it is known.
  expect(await tend()).toBe(1);
  expect(await refetchWhenDue(ports, "refetch-referral", target, { retries: 3 })).toEqual({
    kind: "not_found",
  });
  expect((await find())?.reviewReason?.code).toBe("unreadable_at_service");
  expect(await tend()).toBe(0);
  // The first organisation's credentials again: it is found, and nothing is left to say.
  await asked("a");
  await refetchWhenDue(ports, "refetch-referral", target, { retries: 0 });
  expect((await find())?.reviewReason).toBeNull();
  // Its form is to come, and is looked for.
  expect(await takeJobs()).toContain("refetch-referral");
  expect(await tend()).toBe(0);
});

test("asks for it too when the connection was removed in between", async () => {
  const ledger = await start();
  await ledger.create();
  await ledger.disconnect();
  await ledger.takeJobs();
  ledger.clock.advance(HOUR_MS);
  await ledger.save("b");
  expect(await ledger.takeJobs()).toContain("refetch-referral");
});

test("sends again after two scans a request that was first sent long after the change", async () => {
  const ledger = await start();
  await ledger.save("b");
  ledger.clock.advance(HOUR_MS);
  ledger.b.next("reset_before");
  await ledger.create();
  expect(await scanToTheEnd(ledger)).toEqual({ kind: "resend" });
});

test("a referral of the former client that is to be deleted is not taken for deleted where the new one does not find it", async () => {
  const ledger = await start();
  const { a, b, ports, target, find, clock, save, state, requestId } = ledger;
  const withdraw = () => deleteReferrals(ports, target);
  await ledger.create();
  clock.advance(HOUR_MS);
  await cancelRequest(ports, { ...target, actor: "staff:7" });
  // Somebody moves the connection before the job has its turn.
  await save("b");
  clock.advance(HOUR_MS);
  expect(await withdraw()).toEqual({ kind: "refused" });
  expect(await find()).toMatchObject({
    state: "created",
    reviewReason: { code: "withdrawal_refused" },
  });
  expect([...a.deletions, ...b.deletions]).toEqual([]);
  // With the credentials of whoever ordered it, a second click deletes it.
  await save("a");
  clock.advance(HOUR_MS);
  await cancelRequest(ports, { ...target, actor: "staff:7" });
  expect(await withdraw()).toMatchObject({ kind: "deleted" });
  expect(a.deletions).toHaveLength(1);
  expect(await state(requestId)).toBe("cancelled");
});

test("one that the new client has read itself, and finds no more, counts as deleted", async () => {
  const ledger = await start();
  const { b, ports, target, clock, save, state, requestId } = ledger;
  await save("b");
  clock.advance(HOUR_MS);
  await ledger.create();
  await cancelRequest(ports, { ...target, actor: "staff:7" });
  b.referrals.splice(0);
  expect(await deleteReferrals(ports, target)).toMatchObject({ kind: "deleted" });
  expect(await state(requestId)).toBe("cancelled");
});

test("what was not sent when the connection was moved is ordered once, at the new organisation alone", async () => {
  const ledger = await start();
  const { a, b, create, save, clock } = ledger;
  await save("b");
  clock.advance(HOUR_MS);
  expect(await create()).toMatchObject({ kind: "created" });
  expect(await create()).toEqual({ kind: "not_due" });
  expect([a.calls.length, b.calls.length]).toEqual([0, 1]);
});
