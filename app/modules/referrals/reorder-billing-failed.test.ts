import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { servicesAt, startLedger } from "../../../test/database/ledger.ts";
import { untilWaiting } from "../../../test/database/locks.ts";
import { readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { workBatch } from "../kernel/work-batch.ts";
import { markHandled } from "../reports/mark-handled.ts";
import { readHome } from "../reports/read-home.ts";
import { cancelRequest } from "./cancel-request.ts";
import { createReferral } from "./create-referral.ts";
import { dealWithReason } from "./deal-with-reason.ts";
import { deleteReferrals } from "./delete-referrals.ts";
import { refetchReferral } from "./referrals/refetch-referral.ts";
import { askForBulkReorder, reorders } from "./reorder-billing-failed.ts";
import { reorderRequest } from "./reorder-request.ts";
import { reasonKey } from "./review-reason.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;
const FAILED = { code: "referral", detail: "BILLING_FAILED" } as const;

/** So many requests, all of whose billing failed. */
async function start(count: number) {
  const ledger = await startLedger(db);
  const { shop, ports, service, clock } = ledger;
  for (let number = 1; number <= count; number++) {
    const requestId = await readyRequest(db, shop, { orderNumber: 3000 + number });
    await createReferral(ports, { shop, requestId });
  }
  async function fail() {
    for (const { uuid } of service.referrals) {
      service.set(String(uuid), { status: "BILLING_FAILED" });
      await refetchReferral(ports, { shop, environment: "staging", uuid: String(uuid) });
    }
  }
  await fail();
  clock.advance(60_000);
  const asking = (seen: number | null = null) => askForBulkReorder(ports, { shop, actor, seen });
  const ask = async (seen?: number) => {
    const asked = await asking(seen);
    return asked.kind === "asked" ? asked.batch : null;
  };
  const go = (batchId: string) => workBatch(ports, { shop, batchId }, { reorder: reorders });
  const failed = () => db.tenancy.inShop(shop, (t) => t.referrals.countBillingFailed());
  const counts = (batchId: string) => db.tenancy.inShop(shop, (t) => t.batches.countsOf(batchId));
  const generations = async () => {
    const { rows } = await db.pool.query<{ generation: number; count: number }>(
      "SELECT generation, count(*)::int AS count FROM referral_requests WHERE shop = $1 GROUP BY 1 ORDER BY 1",
      [shop],
    );
    return rows.map(({ count }) => count);
  };
  const first = async () => {
    const { rows } = await db.pool.query<{ id: string }>(
      "SELECT id FROM referral_requests WHERE shop = $1 AND generation = 1 ORDER BY order_id LIMIT 1",
      [shop],
    );
    return rows[0]?.id ?? "";
  };
  /** Somebody has ordered the first one by hand, and says so. */
  const handleFirst = async () => {
    const orderId = await db.tenancy.inShop(shop, async (tenant) => {
      const request = await tenant.requests.find(await first());
      if (!request) throw new Error("no request");
      const order = storeOrder({ id: request.orderId });
      await tenant.orders.record(order, new Map(), clock.now());
      return request.orderId;
    });
    const asked = { shop, orderId, reason: reasonKey(FAILED), actor };
    expect(await markHandled(ports, asked)).toMatchObject({ kind: "marked" });
  };
  return { ...ledger, ask, asking, go, fail, failed, counts, generations, first, handleFirst };
}

test("everything whose billing failed is ordered again once, in batches, and counted", async () => {
  const { ask, go, failed, counts, takeJobs, shop } = await start(23);
  await takeJobs();
  const id = (await ask())?.id ?? "";
  expect(await counts(id)).toMatchObject({ total: 23, waiting: 23 });
  // A second click finds the first.
  expect((await ask())?.id).toBe(id);
  expect(await go(id)).toBe("more");
  expect(await counts(id)).toMatchObject({ done: 20, waiting: 3 });
  expect(await go(id)).toBe("done");
  expect(await counts(id)).toMatchObject({ done: 23, nothing_to_do: 0, waiting: 0 });
  expect(await go(id)).toBe("ended");
  expect(await failed()).toBe(0);
  expect(await ask()).toBeNull();
  const jobs = await takeJobs();
  expect(jobs.filter((name) => name === "create-referral")).toHaveLength(23);
  const { rows } = await db.pool.query(
    "SELECT generation, count(*)::int AS count FROM referral_requests WHERE shop = $1 GROUP BY 1 ORDER BY 1",
    [shop],
  );
  expect(rows).toEqual([
    { generation: 1, count: 23 },
    { generation: 2, count: 23 },
  ]);
});

test("orders no more than the page said, whose billing failed and price it named", async () => {
  const { ask, asking, failed } = await start(3);
  expect(await asking(2)).toEqual({ kind: "more_meanwhile", failed: 3 });
  expect(await failed()).toBe(3);
  expect(await ask(3)).toMatchObject({ state: "running" });
  // Fewer cost less.
  expect(await asking(5)).toMatchObject({ kind: "asked" });
});

test("lets a test whose billing fails again wait for the next asking", async () => {
  const { ask, go, ports, shop, fail, failed } = await start(1);
  const bulk = await ask();
  await go(bulk?.id ?? "");
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT id FROM referral_requests WHERE shop = $1 AND generation = 2",
    [shop],
  );
  await createReferral(ports, { shop, requestId: rows[0]?.id ?? "" });
  await fail();
  expect(await failed()).toBe(1);
  expect(await go(bulk?.id ?? "")).toBe("ended");
  expect((await ask())?.id).not.toBe(bulk?.id);
});

test("leaves alone what was cancelled between the asking and its turn", async () => {
  const { ask, go, counts, ports, shop } = await start(2);
  const id = (await ask())?.id ?? "";
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT id FROM referral_requests WHERE shop = $1 ORDER BY created_at LIMIT 1",
    [shop],
  );
  const cancelled = { shop, requestId: rows[0]?.id ?? "" };
  await cancelRequest(ports, { ...cancelled, actor });
  await deleteReferrals(ports, cancelled);
  expect(await go(id)).toBe("done");
  expect(await counts(id)).toMatchObject({ done: 1, nothing_to_do: 1 });
});

test("leaves alone what somebody has marked as handled, and does not price it; its own page still orders it", async () => {
  const { ask, asking, go, counts, failed, ports, shop, first, handleFirst, generations } =
    await start(3);
  await handleFirst();
  expect(await failed()).toBe(2);
  const { billing } = await readHome(ports, shop);
  expect(billing).toMatchObject({ failed: 2, costs: { length: 2 } });
  expect(await asking(1)).toEqual({ kind: "more_meanwhile", failed: 2 });
  const id = (await ask(2))?.id ?? "";
  expect(await go(id)).toBe("done");
  expect(await counts(id)).toMatchObject({ total: 2, done: 2 });
  expect(await generations()).toEqual([3, 2]);
  const asked = { shop, requestId: await first(), actor };
  expect(await reorderRequest(ports, asked)).toMatchObject({ kind: "reordered" });
  expect(await generations()).toEqual([3, 3]);
});

test("leaves alone what somebody marked as handled between the asking and its turn", async () => {
  const { ask, go, counts, handleFirst, generations } = await start(2);
  const id = (await ask())?.id ?? "";
  await handleFirst();
  expect(await go(id)).toBe("done");
  expect(await counts(id)).toMatchObject({ done: 1, nothing_to_do: 1 });
  expect(await generations()).toEqual([2, 1]);
});

test("leaves alone what somebody is marking as handled at its turn", async () => {
  const { ask, clock, go, counts, shop, first, generations } = await start(1);
  const id = (await ask())?.id ?? "";
  const requestId = await first();
  let turn: Promise<unknown> | undefined;
  await db.tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request) throw new Error("no request");
    await tenant.orders.lock(request.orderId);
    turn = go(id);
    await untilWaiting(db, 1, turn);
    await dealWithReason(tenant, requestId, FAILED, { actor, at: clock.now() });
  });
  await turn;
  expect(await counts(id)).toMatchObject({ done: 0, nothing_to_do: 1 });
  expect(await generations()).toEqual([1]);
});

test("a service that hangs is asked once in each job, and nothing is opened before it answers", async () => {
  const { ask, counts, service, clock, ports, shop, takeJobs, generations } = await start(8);
  const slow = { ...ports, services: servicesAt(service.url, clock, { otherMs: 300 }) };
  const id = (await ask())?.id ?? "";
  await takeJobs();
  const go = () => workBatch(slow, { shop, batchId: id }, { reorder: reorders });
  Object.assign(service, { readsHang: true, reads: [] });
  const began = performance.now();
  expect(await go()).toBe("more");
  expect(await go()).toBe("more");
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(service.reads).toHaveLength(2);
  expect(await counts(id)).toMatchObject({ done: 0, failed: 0, waiting: 8 });
  expect(await generations()).toEqual([8]);
  expect(await takeJobs()).toEqual(["work-batch", "work-batch"]);
  // It answers again: every item is done, each after its former referral was read.
  Object.assign(service, { readsHang: false, reads: [] });
  expect(await go()).toBe("done");
  expect(new Set(service.reads).size).toBe(8);
  expect(await counts(id)).toMatchObject({ done: 8, failed: 0, waiting: 0 });
  expect(await generations()).toEqual([8, 8]);
});

test("one referral that is never answered holds up the others for a quarter of an hour at most, and is read before it is sent", async () => {
  const { ask, go, counts, service, clock, ports, shop, generations } = await start(3);
  const id = (await ask())?.id ?? "";
  service.readFailure = 503;
  expect(await go(id)).toBe("more");
  clock.advance(14 * 60_000);
  expect(await go(id)).toBe("more");
  expect(await counts(id)).toMatchObject({ waiting: 3 });
  clock.advance(2 * 60_000);
  expect(await go(id)).toBe("done");
  expect(await generations()).toEqual([3, 3]);
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT id FROM referral_requests WHERE shop = $1 AND generation = 2",
    [shop],
  );
  for (const { id: requestId } of rows)
    expect(await createReferral(ports, { shop, requestId })).toMatchObject({ kind: "postponed" });
  expect(service.calls).toHaveLength(3);
});
