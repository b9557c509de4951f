import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { startRequest } from "../../../../test/database/request.ts";
import type { RefundPolicy } from "../../shops/shop.ts";
import { cancelUnit } from "../cancel-unit.ts";
import type { Canceller } from "../cancellation.ts";
import { createReferral } from "../create-referral.ts";
import { deleteReferrals } from "../delete-referrals.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { reorderRequest } from "../reorder-request.ts";

const db = await openTestDatabase();

/** A unit that was given up while its attempt was unclear, and cancelled; the service creates its referral only now. */
async function start({
  by = "store",
  refundPolicy = "automatic",
}: {
  by?: Canceller;
  refundPolicy?: RefundPolicy;
} = {}) {
  const request = await startRequest(db, { refundPolicy });
  const { service, clock, shop, requestId, ports, target, create, resolve, takeJobs } = request;
  service.next("late");
  await create();
  await db.tenancy.inShop(shop, (tenant) =>
    cancelUnit(tenant, { id: requestId }, { by, actor: "pathway", now: clock.now() }),
  );
  await resolve();
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await resolve()).toEqual({ kind: "cancelled" });
  await takeJobs();
  service.finishLate();
  const uuid = String(service.referrals[0]?.uuid);
  return {
    ...request,
    uuid,
    /** An event of the service about it. */
    hear: () => refetchReferral(ports, { shop, environment: "staging", uuid }),
    withdraw: () => deleteReferrals(ports, target),
    stored: () => db.tenancy.inShop(shop, (tenant) => tenant.referrals.forRequests([requestId])),
  };
}

test("by the policy automatic it is deleted at the service, and the timeline tells it", async () => {
  const { hear, find, takeJobs, withdraw, service, uuid, story, requestId } = await start();
  await hear();
  expect(await find()).toMatchObject({
    state: "created",
    cancellation: { requestedBy: "store", status: "confirmed" },
  });
  expect(await takeJobs()).toContain("delete-referrals");
  expect((await story(requestId)).at(-1)).toBe("withdrawal_asked");
  expect(await withdraw()).toEqual({ kind: "deleted", uuids: [uuid] });
  expect(service.deletions).toEqual([uuid]);
  expect(await find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "store", status: "done" },
    reviewReason: null,
  });
});

test("by the policy ask a person is asked, once", async () => {
  const { hear, find, takeJobs, service, story, requestId } = await start({ refundPolicy: "ask" });
  await hear();
  const asked = {
    state: "created",
    cancellation: { requestedBy: "store", status: "requested" },
    reviewReason: { code: "refunded_after_sending", detail: null },
  };
  expect(await find()).toMatchObject(asked);
  await hear();
  expect(await find()).toMatchObject(asked);
  expect((await story(requestId)).filter((kind) => kind === "request_surplus")).toHaveLength(2);
  expect(await takeJobs()).not.toContain("delete-referrals");
  expect(service.deletions).toEqual([]);
});

test("deletes what staff had cancelled, and can still order it again", async () => {
  const { hear, find, withdraw, service, uuid, ports, target } = await start({
    by: "staff",
    refundPolicy: "ask",
  });
  await hear();
  expect(await find()).toMatchObject({
    state: "created",
    cancellation: { requestedBy: "staff", status: "confirmed" },
  });
  await withdraw();
  expect(service.deletions).toEqual([uuid]);
  expect(await find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "staff", status: "done" },
  });
  const again = await reorderRequest(ports, { ...target, actor: "staff:7" });
  expect(again).toMatchObject({ kind: "reordered" });
});

test("once it was deleted, nothing begins again, however late and stale the news", async () => {
  const { hear, find, withdraw, service, uuid, takeJobs } = await start();
  await hear();
  await withdraw();
  await takeJobs();
  await hear();
  service.set(uuid, { deletedAt: null, status: "ISSUED" });
  await hear();
  expect(await find()).toMatchObject({ state: "cancelled" });
  expect(await takeJobs()).not.toContain("delete-referrals");
  expect(service.deletions).toEqual([uuid]);
});

test("keeps and shows a referral that has results", async () => {
  const { hear, find, service, uuid } = await start();
  service.set(uuid, { status: "PARTIAL_RESULTS" });
  await hear();
  expect(await find()).toMatchObject({
    state: "created",
    reviewReason: { code: "refunded_after_results", detail: null },
  });
});

test("keeps and shows a referral that has results though staff had cancelled it", async () => {
  const { hear, find, service, uuid } = await start({ by: "staff" });
  service.set(uuid, { status: "PARTIAL_RESULTS" });
  await hear();
  expect(await find()).toMatchObject({
    state: "created",
    reviewReason: { code: "withdrawal_too_late", detail: null },
  });
});

test("takes back a referral that was stored under a cancelled request before, when the app hears of it", async () => {
  const { hear, find, shop, uuid, service, ports, requestId } = await start();
  const real = await ports.services.forConnection(shop, "staging");
  const snapshot = await real?.getReferral(uuid);
  if (!snapshot) throw new Error("it is gone");
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.referrals.save("staging", requestId, snapshot, ports.clock.now()),
  );
  service.set(uuid, { status: "ISSUED" });
  await hear();
  expect(await find()).toMatchObject({
    state: "created",
    cancellation: { requestedBy: "store", status: "confirmed" },
  });
});

test("a late answer to the create call itself is taken back as well", async () => {
  const request = await startRequest(db, { refundPolicy: "automatic" });
  const { service, clock, shop, requestId, ports, target, resolve, find } = request;
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const slow: typeof real = {
    ...real,
    async createReferral(...call) {
      const outcome = await real.createReferral(...call);
      for (const { uuid } of service.referrals) service.hidden.add(String(uuid));
      await db.tenancy.inShop(shop, (tenant) =>
        cancelUnit(tenant, { id: requestId }, { by: "store", actor: "shopify", now: clock.now() }),
      );
      clock.advance(10 * (CREATE_TIMEOUT_MS + QUARANTINE_MS));
      await resolve();
      expect(await resolve()).toEqual({ kind: "cancelled" });
      return outcome;
    },
  };
  await createReferral({ ...ports, services: { forConnection: async () => slow } }, target);
  const uuid = String(service.referrals[0]?.uuid);
  await refetchReferral(ports, { shop, environment: "staging", uuid });
  expect(await find()).toMatchObject({
    state: "created",
    cancellation: { requestedBy: "store", status: "confirmed" },
  });
  expect(await deleteReferrals(ports, target)).toMatchObject({ kind: "deleted" });
});

test("a redacted request stays as it is", async () => {
  const { hear, find, stored, shop, requestId, takeJobs } = await start();
  await db.pool.query(
    "UPDATE referral_requests SET redacted_at = now() WHERE shop = $1 AND id = $2",
    [shop, requestId],
  );
  await hear();
  expect(await find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "store", status: "done" },
  });
  expect(await stored()).toHaveLength(1);
  expect(await takeJobs()).not.toContain("delete-referrals");
});
