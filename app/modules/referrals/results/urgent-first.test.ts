import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { storeOrder } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { listCustomerRequests } from "../../access/list-requests.ts";
import { gid } from "../../kernel/ids.ts";
import { isDue } from "../../notifications/notifications/is-due.ts";
import { markHandled } from "../../reports/mark-handled.ts";
import { reopenHandled } from "../../reports/reopen-handled.ts";
import { apply, updateStanding } from "../apply.ts";
import { cancelUnit } from "../cancel-unit.ts";
import { keepRequest } from "../keep-request.ts";
import { releaseResults } from "../release-result.ts";
import { parseReasonKey } from "../review-reason.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();
const by = { actor: "staff:7" } as const;
const REVIEWER = { name: "Dr Lee", email: "lee@example.com", phone: "02 5550 9999" };
const biomarkerSummary = { normal: 8, abnormal: 1, critical: 1, total: 9 };

/** A unit whose critical result is about to arrive, and is shown at once. */
async function start() {
  const created = await startCreated(db, {
    settings: { releasePolicy: "automatic", refundPolicy: "ask" },
  });
  const { shop, ports, clock, uuids, requestId } = created;
  const [referralUuid = ""] = uuids();
  const result = resultSnapshot({ referralUuid, status: "COMPLETE", biomarkerSummary });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => result }) };
  const tell = (event: Parameters<typeof apply>[2]) =>
    db.tenancy.inShop(shop, (tenant) =>
      apply(tenant, requestId, event, { ...by, at: clock.now() }),
    );
  return {
    ...created,
    tell,
    reason: async () => (await created.find())?.reason?.code ?? null,
    arrives: () =>
      refetchResult({ ...ports, services }, { shop, environment: "staging", uuid: result.uuid }),
    refund: () =>
      db.tenancy.inShop(shop, (tenant) => {
        const wish = { by: "store", actor: "shopify", now: clock.now() } as const;
        return cancelUnit(tenant, { id: requestId }, wish);
      }),
  };
}

const SHOWN = "urgent_result_shown";

test.each(["staff", "store"] as const)(
  "tells of a critical result that comes after %s had the unit cancelled and its referral deleted",
  async (canceller) => {
    const { shop, ports, requestId, clock, withdraw, arrives, reason, find, takeJobs } =
      await start();
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.shops.updateSettings({ refundPolicy: "automatic" });
      const wish = { by: canceller, actor: "pathway", now: clock.now() } as const;
      await cancelUnit(tenant, { id: requestId }, wish);
    });
    await withdraw();
    expect(await find()).toMatchObject({ state: "cancelled" });
    await takeJobs();
    await arrives();
    expect(await find()).toMatchObject({ state: "created" });
    expect(await reason()).toBe(SHOWN);
    const isDueTo = (kind: "results_today" | "urgent_result_shown") =>
      db.tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.find(requestId);
        const [due] = (await tenant.notifications.unsent([requestId])).filter(
          (one) => one.kind === kind,
        );
        return request !== null && due !== undefined && isDue(tenant, request, due);
      });
    expect(await isDueTo("results_today")).toBe(true);
    expect(await isDueTo("urgent_result_shown")).toBe(true);
    const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
    expect(await listCustomerRequests(ports, { shop, viewer })).toMatchObject([
      { id: requestId, resultId: expect.any(String), state: "results_ready" },
    ]);
    // The same result again changes nothing.
    await arrives();
    expect(await reason()).toBe(SHOWN);
  },
);

test.each(["correction_refused", "under_age", "withdrawal_refused", "referral:FAILED_TEST"])(
  "tells of a critical result first, whatever a person was needed for before: %s",
  async (key) => {
    const { shop, requestId, arrives, reason } = await start();
    await db.tenancy.inShop(shop, (tenant) =>
      putRequest(tenant, requestId, { state: "created", reviewReason: parseReasonKey(key) }),
    );
    await arrives();
    expect(await reason()).toBe(SHOWN);
  },
);

test("tells of a refunded test's critical result first, and asks about the refund afterwards", async () => {
  const { refund, arrives, reason, find, shop, ports, clock, requestId } = await start();
  await refund();
  expect(await reason()).toBe("refunded_after_sending");
  await arrives();
  expect(await reason()).toBe(SHOWN);
  // The order is read again and again.
  await refund();
  expect(await reason()).toBe(SHOWN);
  const orderId = (await find())?.orderId ?? gid("Order", 0);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder({ id: orderId }), new Map(), clock.now()),
  );
  const target = { shop, orderId, reason: SHOWN, ...by };
  expect(await markHandled(ports, target)).toMatchObject({ kind: "marked" });
  expect(await reason()).toBe("refunded_after_results");
  // Pressed by mistake, it is taken back like any other.
  expect(await reopenHandled(ports, { ...target, isUndo: true })).toEqual({
    ...{ kind: "reopened", items: 1 },
  });
  expect(await reason()).toBe(SHOWN);
  expect(await reopenHandled(ports, target)).toEqual({ kind: "open_already" });
  await markHandled(ports, target);
  expect(await keepRequest(ports, { shop, requestId, ...by })).toEqual({ kind: "kept" });
  // The patient keeps the test, whatever else is reopened.
  await reopenHandled(ports, target);
  expect(await find()).toMatchObject({ kept: true, reason: { code: SHOWN } });
});

test("lets a refund hide no critical result that was told before", async () => {
  const { refund, arrives, reason, tell, find } = await start();
  await arrives();
  await refund();
  expect(await reason()).toBe(SHOWN);
  expect(await find()).toMatchObject({ cancellation: { requestedBy: "store" } });
  await tell({ kind: "handled", reason: { code: SHOWN, detail: null } });
  expect(await reason()).toBe("refunded_after_results");
});

test("lets nothing that happens later hide a critical result, and tells of that when it was dealt with", async () => {
  const { arrives, reason, tell, refund } = await start();
  await arrives();
  await tell({ kind: "correction_refused", correction: 1 });
  expect(await reason()).toBe(SHOWN);
  await tell({ kind: "handled", reason: { code: SHOWN, detail: null } });
  expect(await reason()).toBe("correction_refused");
  await refund();
  expect(await reason()).toBe("refunded_after_results");
});

test("asks about a refund though a critical result was dealt with before", async () => {
  const { arrives, reason, tell, refund } = await start();
  await arrives();
  await tell({ kind: "handled", reason: { code: SHOWN, detail: null } });
  expect(await reason()).toBeNull();
  await refund();
  expect(await reason()).toBe("refunded_after_results");
});

test.each(["half_created", null])(
  "tells of a critical result while the other part of a Medicare order is unclear: %s",
  async (key) => {
    const { shop, requestId, arrives, reason, tell, find } = await start();
    const reviewReason = key === null ? null : parseReasonKey(key);
    await db.tenancy.inShop(shop, (tenant) =>
      putRequest(tenant, requestId, {
        ...{ state: "ambiguous", missingPart: "medicare", reviewReason, attempt: 1 },
      }),
    );
    await arrives();
    expect(await reason()).toBe(SHOWN);
    await tell({ kind: "scan_counted", attempt: 1, emptyScans: 1 });
    expect(await reason()).toBe(SHOWN);
    // Its other part is looked for all the same.
    expect(await find()).toMatchObject({ state: "ambiguous", reviewReason: null });
    await tell({ kind: "left_to_person", attempt: 1, emptyScans: 3 });
    expect(await reason()).toBe(SHOWN);
    await tell({ kind: "handled", reason: { code: SHOWN, detail: null } });
    expect(await reason()).toBe("half_created");
  },
);

test("parts the two reasons of a row that an earlier version wrote", async () => {
  const { shop, requestId, find, reason, tell } = await start();
  await db.pool.query(
    "UPDATE referral_requests SET state = 'ambiguous', review_code = 'urgent_result_shown' WHERE id = $1",
    [requestId],
  );
  const stalled = await db.tenancy.inShop(shop, (tenant) => tenant.requests.stalled());
  expect(stalled).toMatchObject([{ name: "resolve-ambiguous", requestId }]);
  await db.pool.query(
    `UPDATE referral_requests SET state = 'created', reason_code = 'urgent_result_shown', stage = 'attention'
     WHERE id = $1`,
    [requestId],
  );
  expect(await find()).toMatchObject({ resultReason: SHOWN, reviewReason: null });
  await tell({ kind: "correction_refused", correction: 1 });
  expect(await reason()).toBe(SHOWN);
  const { rows } = await db.pool.query(
    "SELECT result_code, review_code FROM referral_requests WHERE id = $1",
    [requestId],
  );
  expect(rows).toEqual([{ result_code: SHOWN, review_code: "correction_refused" }]);
});

test("tells of a critical result that was shown until it is dealt with, and of one that is held then", async () => {
  const { shop, ports, clock, requestId, arrives, reason, find, uuids } = await start();
  await arrives();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.shops.updateSettings({ releasePolicy: "hold_all", reviewer: REVIEWER }),
  );
  const [referralUuid = ""] = uuids();
  const held = { referralUuid, uuid: randomUUID(), status: "COMPLETE", biomarkerSummary } as const;
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const getResult = async () => resultSnapshot(held);
  const services = { forConnection: async () => ({ ...real, getResult }) };
  clock.advance(60_000);
  await refetchResult({ ...ports, services }, { shop, environment: "staging", uuid: held.uuid });
  expect(await reason()).toBe(SHOWN);
  const orderId = (await find())?.orderId ?? gid("Order", 0);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder({ id: orderId }), new Map(), clock.now()),
  );
  await markHandled(ports, { shop, orderId, reason: SHOWN, ...by });
  expect(await reason()).toBe("urgent_result_held");
  await releaseResults(ports, {
    ...{ shop, requestId, ...by },
    record: { name: "Dr Lee", comment: "", contacted: true },
  });
  expect(await reason()).toBeNull();
});

test("leaves dealt with what was dealt with in a row of an earlier version", async () => {
  const { shop, requestId, find, reason } = await start();
  await db.pool.query(
    `UPDATE referral_requests SET review_code = 'urgent_result_shown', handled_code = 'urgent_result_shown' WHERE id = $1`,
    [requestId],
  );
  expect(await find()).toMatchObject({ resultReason: null, reviewReason: null });
  await db.tenancy.inShop(shop, (tenant) => updateStanding(tenant, requestId));
  expect(await reason()).toBeNull();
  expect(await find()).toMatchObject({ handledReason: { code: SHOWN } });
});
