import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { cancelUnit } from "../referrals/cancel-unit.ts";
import { keepRequest } from "../referrals/keep-request.ts";
import { readSettings } from "../reports/read-settings.ts";
import type { RefundPolicy } from "../shops/shop.ts";
import { savePolicies } from "./save-policies.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;

/** A shop that is asked about refunds, with one that waits for the answer. */
async function startAsked() {
  const created = await startCreated(db, { settings: { refundPolicy: "ask" } });
  const { shop, ports, clock, find } = created;
  /** The store says again that the unit is refunded, as any later word about the order does. */
  const refund = async () => {
    const request = await find();
    if (!request) throw new Error("it is gone");
    const wish = { by: "store", actor: "shopify", now: clock.now() } as const;
    return db.tenancy.inShop(shop, (tenant) => cancelUnit(tenant, request, wish));
  };
  const read = () => readSettings({ ...ports, emailByService: false }, shop);
  const save = async (refundPolicy: RefundPolicy, cancelWaiting: number | null = null) => {
    const { policies } = await read();
    const wish = {
      policies: { ...policies, refundPolicy },
      cancelWaiting,
      actor,
      clinicalTexts: { version: "1", isAccepted: false },
    };
    return savePolicies(ports, { shop, ...wish });
  };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder(), new Map(), clock.now()),
  );
  expect(await refund()).toBe("asked");
  return { ...created, refund, read, save };
}

test("a refund that waits for a decision outlives the change to deleting automatically", async () => {
  const { save, read, refund, find, withdraw, service } = await startAsked();
  expect((await read()).refundsWaiting).toBe(1);
  expect(await save("automatic")).toEqual({ kind: "saved", cancelled: 0 });
  expect(await refund()).toBe("nothing");
  expect(await withdraw()).toEqual({ kind: "not_due" });
  expect(await find()).toMatchObject({
    state: "created",
    reviewReason: { code: "refunded_after_sending", detail: null },
  });
  expect(service.deletions).toEqual([]);
});

test("cancelled at once when the merchant says so, in their name", async () => {
  const { save, find, withdraw, service, shop, read } = await startAsked();
  expect(await save("automatic", 1)).toEqual({ kind: "saved", cancelled: 1 });
  expect((await read()).refundsWaiting).toBe(0);
  await withdraw();
  expect(await find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "store", status: "done" },
  });
  expect(service.deletions).toHaveLength(1);
  const { orderId = null } = (await find()) ?? {};
  const story = await db.tenancy.inShop(shop, async (tenant) =>
    orderId ? tenant.timeline.forOrder(orderId) : [],
  );
  expect(story.filter((entry) => entry.kind === "withdrawal_asked")).toMatchObject([{ actor }]);
});

test("more refunds than are read at once are all cancelled", async () => {
  const { save, read, shop } = await startAsked();
  await db.pool.query(
    `INSERT INTO referral_requests
     SELECT copy.* FROM referral_requests r, generate_series(2, 120) n, jsonb_populate_record(r, jsonb_build_object(
       'id', gen_random_uuid(), 'unit', n, 'reference_number', r.reference_number || '-' || n)) copy
     WHERE r.shop = $1`,
    [shop],
  );
  expect((await read()).refundsWaiting).toBe(120);
  expect(await save("automatic", 120)).toEqual({ kind: "saved", cancelled: 120 });
  expect((await read()).refundsWaiting).toBe(0);
});

test("another number than the merchant saw is shown first, and nothing is saved", async () => {
  const { save, find, read } = await startAsked();
  expect(await save("automatic", 3)).toEqual({ kind: "waiting_changed", waiting: 1 });
  expect((await read()).policies.refundPolicy).toBe("ask");
  expect(await find()).toMatchObject({
    cancellation: { requestedBy: "store", status: "requested" },
  });
});

test("neither counts nor cancels a refunded test that its patient was let keep", async () => {
  const { save, find, read, ports, shop } = await startAsked();
  const { id: requestId } = (await find()) ?? {};
  if (!requestId) throw new Error("it is gone");
  await keepRequest(ports, { shop, requestId, actor });
  expect((await read()).refundsWaiting).toBe(0);
  expect(await save("automatic", 0)).toEqual({ kind: "saved", cancelled: 0 });
  expect(await find()).toMatchObject({
    cancellation: { requestedBy: "store", status: "requested" },
    state: "created",
  });
});

test("a refunded test that a colleague lets its patient keep at that moment is not cancelled", async () => {
  const { save, find, ports, shop, withdraw, service } = await startAsked();
  const { id: requestId = "", orderId } = (await find()) ?? {};
  const order = await whoHolds(
    db,
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    `${shop} ${orderId}`,
  );
  // It has found the refund, and waits for its order.
  const saving = save("automatic", 1);
  await untilWaiting(db, 1, saving);
  expect(await keepRequest(ports, { shop, requestId, actor: "staff:2" })).toEqual({ kind: "kept" });
  await order.end();
  expect(await saving).toEqual({ kind: "saved", cancelled: 0 });
  expect(await withdraw()).toEqual({ kind: "not_due" });
  expect(await find()).toMatchObject({ state: "created", kept: true });
  expect(service.deletions).toEqual([]);
});

test("nothing is cancelled by a save that does not change to deleting automatically", async () => {
  const { save, find } = await startAsked();
  expect(await save("ask", 1)).toEqual({ kind: "saved", cancelled: 0 });
  expect(await find()).toMatchObject({
    cancellation: { requestedBy: "store", status: "requested" },
  });
});

test("stores the finder of collection centres whole, and takes it away again", async () => {
  const { shop, ports, read } = await startAsked();
  const save = (collectionFinder: { name: string; url: string } | null) =>
    savePolicies(ports, {
      ...{ shop, policies: { collectionFinder }, cancelWaiting: null, actor },
      clinicalTexts: { version: "1", isAccepted: false },
    });
  const finder = { name: "Example Pathology", url: "https://example.com/centres" };
  const rows = async () =>
    (await db.pool.query("SELECT finder_name, finder_url FROM shops WHERE shop = $1", [shop])).rows;
  expect(await save(finder)).toMatchObject({ kind: "saved" });
  expect(await rows()).toEqual([{ finder_name: finder.name, finder_url: finder.url }]);
  expect((await read()).policies.collectionFinder).toEqual(finder);
  expect(await save(null)).toMatchObject({ kind: "saved" });
  expect(await rows()).toEqual([{ finder_name: null, finder_url: null }]);
  const half = db.pool.query("UPDATE shops SET finder_url = $2 WHERE shop = $1", [
    shop,
    finder.url,
  ]);
  await expect(half).rejects.toThrow("shops_finder_whole");
});

const OTHER = "staff:8" as const;

const twoManagers = (shop: ShopDomain) =>
  db.tenancy.inShop(shop, async (tenant) => {
    const manager = { isAccountOwner: true, name: "Ngaire Walker" };
    await tenant.staff.identify({ ...manager, staff: actor }, START);
    await tenant.staff.identify({ ...manager, name: "Tom Lee", staff: OTHER }, START);
  });

test("two people at once: what a form left as it was stays as the other one saved it", async () => {
  const { shop, ports, read } = await startAsked();
  await twoManagers(shop);
  const { policies: seen } = await read();
  const wish = {
    shop,
    seen,
    cancelWaiting: null,
    clinicalTexts: { version: "1", isAccepted: false },
  };
  const hold = { ...seen, releasePolicy: "hold_critical" as const, holdOrders: true };
  expect(await savePolicies(ports, { ...wish, policies: hold, actor })).toMatchObject({
    kind: "saved",
  });
  const older = { ...seen, minimumAge: 21 };
  expect(await savePolicies(ports, { ...wish, policies: older, actor: OTHER })).toMatchObject({
    kind: "saved",
  });
  expect((await read()).policies).toEqual({ ...hold, minimumAge: 21 });
});

test("two people at once: the same setting changed by both is told with the other one's name, and nothing is saved", async () => {
  const { shop, ports, read } = await startAsked();
  await twoManagers(shop);
  const { policies: seen } = await read();
  const wish = {
    shop,
    seen,
    cancelWaiting: null,
    clinicalTexts: { version: "1", isAccepted: false },
  };
  const first = { ...seen, minimumAge: 16 };
  expect(await savePolicies(ports, { ...wish, policies: first, actor })).toMatchObject({
    kind: "saved",
  });
  const second = { ...seen, minimumAge: 21, holdOrders: true };
  expect(await savePolicies(ports, { ...wish, policies: second, actor: OTHER })).toEqual({
    kind: "changed_meanwhile",
    settings: [{ name: "minimumAge", saved: 16, wished: 21 }],
    byName: "Ngaire Walker",
  });
  expect((await read()).policies).toEqual(first);
  // Both of them wanted the same: nobody has to be asked.
  expect(await savePolicies(ports, { ...wish, policies: first, actor: OTHER })).toMatchObject({
    kind: "saved",
  });
});
