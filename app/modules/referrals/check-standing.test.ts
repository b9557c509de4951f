import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { misplacedRequests } from "../../platform/counters.ts";
import { createLogger } from "../../platform/logger.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { apply } from "./apply.ts";
import { checkStanding, rangesSince } from "./check-standing.ts";
import { saveReferral } from "./referrals/save-referral.ts";
import { REQUEST_STATES, type RequestState } from "./request.ts";
import { plainReason, type ReviewReason } from "./review-reason.ts";
import { standingOf } from "./standing.ts";

const REFUSED: ReviewReason = { code: "rejected", detail: "INVALID_PAYLOAD" };
const db = await openTestDatabase();
const ports = {
  ...{ tenancy: db.tenancy, logger: createLogger("silent") },
  clock: { now: () => START },
};
const BY = { actor: "pathway", at: START } as const;
const STATUSES = ["ISSUED", "COMPLETE", "BILLING_FAILED"];

/** Anything that a writer might write who forgets where the request stands, as plain SQL. */
const writes = fc.oneof(
  fc.record({
    kind: fc.constant("request" as const),
    state: fc.constantFrom(...REQUEST_STATES),
    reviewReason: fc.constantFrom(null, REFUSED, plainReason("half_created")),
  }),
  fc.record({
    kind: fc.constant("referral" as const),
    slot: fc.nat(2),
    status: fc.constantFrom(...STATUSES),
    deleted: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("result" as const),
    slot: fc.nat(1),
    released: fc.boolean(),
    inReview: fc.boolean(),
    deleted: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("forget" as const),
    table: fc.constantFrom("referrals", "results"),
  }),
  fc.record({ kind: fc.constant("handle" as const) }),
  fc.record({
    kind: fc.constant("replace" as const),
    table: fc.constantFrom("referrals", "referral_requests"),
  }),
  fc.record({ kind: fc.constant("meddle" as const) }),
);
type Write = typeof writes extends fc.Arbitrary<infer T> ? T : never;

async function write(shop: ShopDomain, requestId: string, change: Write): Promise<void> {
  const uuid = (slot: number) => `${requestId.slice(0, -1)}${slot}`;
  const run = (statement: string, ...values: unknown[]) => db.pool.query(statement, values);
  switch (change.kind) {
    case "request":
      await run(
        "UPDATE referral_requests SET state = $2, review_code = $3, review_detail = $4 WHERE id = $1",
        requestId,
        change.state,
        change.reviewReason?.code,
        change.reviewReason?.detail,
      );
      return;
    case "referral":
      await run(
        `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin,
           snapshot_sealed, service_created_at, service_updated_at, deleted_at, fetched_at)
         VALUES ($1, $2, 'staging', $3, $4, '12345678', 'API', '', now(), now(), $5, now())
         ON CONFLICT (shop, uuid) DO UPDATE SET status = excluded.status, deleted_at = excluded.deleted_at`,
        ...[shop, uuid(change.slot), requestId, change.status, change.deleted ? START : null],
      );
      return;
    case "result":
      await run(
        `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial,
           in_review, released_at, deleted_at, snapshot_sealed, service_updated_at, fetched_at)
         VALUES ($1, $2, 'staging', $3, $2, 'COMPLETE', false, $4, $5, $6, '', now(), now())
         ON CONFLICT (shop, uuid) DO UPDATE SET in_review = excluded.in_review,
           released_at = excluded.released_at, deleted_at = excluded.deleted_at`,
        ...[shop, uuid(change.slot), requestId, change.inReview],
        ...[change.released ? START : null, change.deleted ? START : null],
      );
      return;
    case "forget":
      await run(`DELETE FROM ${change.table} WHERE request_id = $1`, requestId);
      return;
    case "replace":
      await run(
        `UPDATE ${change.table} SET replaced_by = gen_random_uuid()
         WHERE ${change.table === "referrals" ? "request_id" : "id"} = $1`,
        requestId,
      );
      return;
    case "handle":
      await run(
        `UPDATE referral_requests SET handled_code = coalesce(reason_code, handled_code),
           handled_detail = CASE WHEN reason_code IS NULL THEN handled_detail ELSE reason_detail END WHERE id = $1`,
        requestId,
      );
      return;
    case "meddle":
      await run(
        "UPDATE referral_requests SET stage = 'cancelled', reason_code = 'none' WHERE id = $1",
        requestId,
      );
  }
}

/** Reads the stored standing beside the one that the rules give. */
const compare = (shop: ShopDomain, id: string) =>
  db.tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(id);
    if (!request) throw new Error("the request is gone");
    const { stage, reason, handledReason } = request;
    const referrals = await tenant.referrals.forRequests([id]);
    const results = await tenant.results.forRequests([id]);
    return {
      stored: { stage, reason, handledReason },
      computed: standingOf({ request, referrals, results }),
    };
  });

const misplaced = () => misplacedRequests.values().reduce((sum, { value }) => sum + value, 0);

test("whatever is written behind the ledger's back is found, counted and put right", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writes, { minLength: 1, maxLength: 12 }), async (changes) => {
      const shop = await installedShop(db);
      const id = await readyRequest(db, shop);
      for (const change of changes) await write(shop, id, change);
      const before = await compare(shop, id);
      const isWrong = JSON.stringify(before.stored) !== JSON.stringify(before.computed);
      const counted = misplaced();
      expect(await checkStanding(ports, shop)).toBe(isWrong ? 1 : 0);
      expect(misplaced() - counted).toBe(isWrong ? 1 : 0);
      const after = await compare(shop, id);
      expect({ changes, ...after.stored }).toEqual({ changes, ...after.computed });
      expect(await checkStanding(ports, shop)).toBe(0);
    }),
    { numRuns: 100 },
  );
}, 120_000);

test("two writers at once: the one that commits last has seen the other's facts", async () => {
  const shop = await installedShop(db);
  const id = await readyRequest(db, shop);
  const request = { id, environment: "staging", orderId: gid("Order", 1001) } as const;
  const first = referralSnapshot({ status: "ISSUED" });
  const read = (status: "ISSUED" | "COMPLETE", hold?: Promise<void>) =>
    db.tenancy.inShop(shop, async (tenant) => {
      await tenant.requests.findForUpdate(id);
      const updatedAt = new Date(Date.now() + 1000).toISOString();
      await saveReferral(tenant, request, { ...first, status, updatedAt }, START);
      await hold;
      await apply(tenant, id, { kind: "referrals_read" }, BY);
    });
  await db.tenancy.inShop(shop, (tenant) => putRequest(tenant, id, { state: "created" }));
  await read("ISSUED");
  const goOn = Promise.withResolvers<void>();
  const reading = read("COMPLETE", goOn.promise);
  const refusing = db.tenancy.inShop(shop, (tenant) =>
    apply(tenant, id, { kind: "correction_refused", correction: 1 }, BY),
  );
  goOn.resolve();
  await Promise.all([reading, refusing]);
  const { stored, computed } = await compare(shop, id);
  expect(stored).toEqual(computed);
  expect(stored).toMatchObject({
    stage: "attention",
    reason: { code: "correction_refused", detail: null },
  });
});

test("brings a handled reason back when it arises again, and not before", async () => {
  const shop = await installedShop(db);
  const id = await readyRequest(db, shop);
  const put = (state: RequestState, reviewReason: ReviewReason | null) =>
    db.tenancy.inShop(shop, (tenant) => putRequest(tenant, id, { state, reviewReason }));
  const handle = (reason: ReviewReason) =>
    db.tenancy.inShop(shop, (tenant) => apply(tenant, id, { kind: "handled", reason }, BY));
  await put("rejected", REFUSED);
  expect(await handle(plainReason("half_created"))).toBeNull();
  expect(await handle(REFUSED)).not.toBeNull();
  await put("rejected", REFUSED);
  expect((await compare(shop, id)).stored).toMatchObject({ stage: "cancelled", reason: null });
  await put("ready", null);
  await put("rejected", REFUSED);
  expect((await compare(shop, id)).stored.stage).toBe("attention");
});

test("tells of a part that was deleted before anybody was told of parts", async () => {
  const created = await startCreated(db, { items: BOTH_PARTS });
  const { shop, service, find, requestId } = created;
  await created.become({ status: "ISSUED" });
  const medicare = String(service.referrals.find((one) => one.medicare)?.uuid);
  await db.pool.query("UPDATE referrals SET deleted_at = now() WHERE uuid = $1", [medicare]);
  // An earlier version looked at it, and found that a referral was left.
  expect(await find()).toMatchObject({ reviewReason: null, stage: "in_progress" });
  const counted = misplaced();
  await checkStanding(ports, shop);
  expect(await find()).toMatchObject({
    reviewReason: { code: "deleted_at_service" },
    stage: "attention",
  });
  expect(misplaced()).toBe(counted);
  // Dealt with, it does not come back.
  const reason = plainReason("deleted_at_service");
  await db.tenancy.inShop(shop, (tenant) =>
    apply(tenant, requestId, { kind: "handled", reason }, BY),
  );
  await checkStanding(ports, shop);
  expect((await find())?.stage).toBe("in_progress");
});

test("tells nobody of a part of a test whose data was erased", async () => {
  const { shop, become, find, requestId } = await startCreated(db);
  await become({ deletedAt: START.toISOString() });
  await db.tenancy.inShop(shop, async (tenant) => {
    await apply(tenant, requestId, { kind: "redacted" }, BY);
    await tenant.requests.forgetPatient(requestId);
  });
  await checkStanding(ports, shop);
  expect(await find()).toMatchObject({ reviewReason: null });
});

test("a request stands beside its order: paid when it was, a test when it was", async () => {
  const shop = await installedShop(db);
  const id = await readyRequest(db, shop);
  const place = async () => {
    const { rows } = await db.pool.query<{ same: boolean; orderMode: string }>(
      `SELECT r.order_paid_at = o.paid_at AS same, r.order_mode AS "orderMode" FROM referral_requests r
       JOIN orders o ON o.shop = r.shop AND o.order_id = r.order_id WHERE r.id = $1`,
      [id],
    );
    return rows[0];
  };
  const record = (change: object, minutes: number) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.orders.record(
        storeOrder(change),
        new Map(),
        new Date(START.getTime() + minutes * 6e4),
      ),
    );
  await record({ processedAt: new Date("2026-01-01") }, 0);
  await checkStanding(ports, shop);
  expect(await place()).toEqual({ same: true, orderMode: "staging" });
  await record({ processedAt: new Date("2026-02-01"), test: true }, 1);
  expect(await place()).toEqual({ same: true, orderMode: "test" });
  await db.pool.query(
    "UPDATE referral_requests SET order_mode = 'production', order_paid_at = now() WHERE id = $1",
    [id],
  );
  expect(await checkStanding(ports, shop)).toBe(1);
  expect(await place()).toEqual({ same: true, orderMode: "test" });
});

test("an order's reason cannot be stored against its own facts", async () => {
  const shop = await installedShop(db);
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(storeOrder(), new Map(), START));
  const alone = db.pool.query("UPDATE orders SET reason_code = 'unmapped_line' WHERE shop = $1", [
    shop,
  ]);
  await expect(alone).rejects.toThrow("orders_reason_follows");
});

test.each([1_000, 300_000, 3_600_000, 86_400_000, 1e12])(
  "looks every %i ms compare every id within a day",
  (interval) => {
    const ids = Array.from({ length: 50 }, () => randomUUID());
    const looks = Math.ceil(86_400_000 / interval);
    const seen = new Set<string>();
    for (let look = 1; look <= looks; look++)
      for (const { from, until } of rangesSince(
        new Date(START.getTime() + look * interval),
        interval,
      ))
        for (const id of ids) if (id >= from && (until === null || id < until)) seen.add(id);
    expect(seen.size).toBe(ids.length);
  },
);

test("a range is walked to its end, page by page", async () => {
  const shop = await installedShop(db);
  await db.pool.query(
    `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit,
       reference_number, title, tests, medicare_tests, state, stage, updated_at)
     SELECT $1, gen_random_uuid(), 'staging', 'gid://shopify/Order/1', 'gid://shopify/LineItem/' || i, 1,
       'R' || i, 'Iron studies', '{}', '{}', 'held', 'in_progress', now() FROM generate_series(1, 450) i`,
    [shop],
  );
  expect(await checkStanding(ports, shop)).toBe(450);
  expect(await checkStanding(ports, shop)).toBe(0);
});
