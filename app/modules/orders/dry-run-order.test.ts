import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { bought, mappedShop, mapVariant, ONE_TEST, PATIENT } from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import type { OrderRisk } from "../referrals/order-risk.ts";
import { releaseRequest } from "../referrals/release-request.ts";
import { dryRunOrder } from "./dry-run-order.ts";
import type { StoreOrder } from "./order.ts";
import { reconcileOrder } from "./reconcile-order.ts";

const db = await openTestDatabase();
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** Plans what a reading of the order would do, which Shopify assesses so. */
async function planned(order: StoreOrder, risk: OrderRisk = "clear") {
  const storeOrders = { findByName: async () => order.id, read: async () => order };
  const orderRisk = { assess: async () => risk };
  const ports = { tenancy: db.tenancy, storeOrders, orderRisk, emailByService: false };
  const outcome = await dryRunOrder(ports, { shop, name: order.name });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  // The shop of these tests is connected to nothing.
  const obstacles = outcome.obstacles.filter((one) => one !== "no_connection");
  return { ...outcome, obstacles };
}

test("takes the unit back that a reading would take back: one without results", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(2));
  // The later one, which would go first if both had cost the same.
  const later = (await one.requests()).find(({ unit }) => unit === 2)?.id ?? "";
  const earlier = (await one.requests()).find(({ unit }) => unit === 1)?.id ?? "";
  await db.tenancy.inShop(shop, async (tenant) => {
    for (const [id, status] of [
      [earlier, "ISSUED"],
      [later, "COMPLETE"],
    ] as const) {
      await putRequest(tenant, id, { state: "created" });
      const snapshot = referralSnapshot({ uuid: id, status });
      await tenant.referrals.save("staging", id, snapshot, one.clock.now());
    }
  });
  const plan = await planned(bought(2, 1));
  expect(plan.lines[0]).toMatchObject({ takenBack: 1, units: [{ unit: 2 }] });
  await one.read(bought(2, 1));
  const taken = (await one.requests()).filter(({ cancellation }) => cancellation !== null);
  expect(taken.map(({ id }) => id)).toEqual([earlier]);
});

test("says of an order whose data was erased that nothing more is done about it", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.redaction.orders([gid("Order", 1001)], one.clock.now()),
  );
  expect(await one.read(bought(2))).toEqual({ kind: "redacted" });
  const plan = await planned(bought(2));
  expect(plan.obstacles).toContain("erased");
  expect(plan.lines[0]?.units.filter(({ state }) => state === null)).toEqual([]);
});

test("waits for a person where an order was dealt with before Shopify showed it", async () => {
  const one = await orderInStore(db, shop);
  const orderId = gid("Order", 1001);
  const paid = { name: "#1001", placedAt: new Date(0), changedAt: new Date(1), test: false };
  await reconcileOrder(one.ports, { shop, orderId, paid });
  expect((await planned(bought(1))).obstacles).not.toContain("backdated");
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.markHandled(orderId, "paid_not_visible"));
  expect((await planned(bought(1))).obstacles).toContain("backdated");
  // A reading does as was planned, and so it stays after it.
  expect(await one.read(bought(1))).toMatchObject({ opened: 0 });
  expect((await planned(bought(1))).obstacles).toContain("backdated");
  await reconcileOrder(one.ports, { shop, orderId, isWanted: true });
  expect((await planned(bought(1))).obstacles).not.toContain("backdated");
});

const IN_PART = { paid: false, paidInPart: true };
const VOIDED = { paid: false, isMoneyBack: true };

test("says of an order that is paid in part that the rest of its money is waited for", async () => {
  const one = await orderInStore(db, shop);
  const deposit = { ...bought(2), ...IN_PART };
  expect(await planned(deposit)).toMatchObject({
    obstacles: ["paid_in_part"],
    lines: [{ units: [] }],
  });
  await one.read(deposit);
  expect(await one.reviewCode()).toBe("paid_in_part");
  // The tests that were paid for go on, and the added one waits.
  await one.read(bought(2));
  expect((await planned({ ...bought(2), ...IN_PART })).obstacles).toEqual([]);
  expect(await planned({ ...bought(3), ...IN_PART })).toMatchObject({
    obstacles: ["paid_in_part"],
    lines: [{ units: [{ state: "awaiting_details" }, { state: "awaiting_details" }] }],
  });
});

test("says of an order that is not paid that it isn't, unless it is known by a payment of before", async () => {
  const unpaid = { ...bought(2), paid: false };
  expect((await planned(unpaid)).obstacles).toEqual(["not_paid"]);
  const one = await orderInStore(db, shop);
  // A free order of something else, which grew since.
  await one.read({ ...bought(2), lines: [] });
  expect((await planned(unpaid)).obstacles).toEqual(["paid_in_part"]);
  await one.read(unpaid);
  expect(await one.reviewCode()).toBe("paid_in_part");
});

test("says of an order whose payment was voided what a reading says", async () => {
  const one = await orderInStore(db, shop);
  expect((await planned({ ...bought(1), ...VOIDED })).obstacles).toEqual(["not_paid"]);
  await one.read(bought(1));
  expect((await planned({ ...bought(1), ...VOIDED })).obstacles).toEqual(["money_back"]);
});

test("lists no unit as one that would be opened where a reading opens none", async () => {
  const one = await orderInStore(db, shop);
  const back = { ...bought(1), isMoneyBack: true };
  expect(await planned(back)).toMatchObject({ obstacles: ["money_back"], lines: [{ units: [] }] });
  expect(await one.read(back)).toMatchObject({ opened: 0 });
});

test.each([
  ["high", ["high_risk"]],
  ["pending", ["risk_pending"]],
  ["clear", []],
] as const)("says whether tests would be held for a risk that is %s", async (risk, obstacles) => {
  expect((await planned(bought(1), risk)).obstacles).toEqual(obstacles);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ holdHighRisk: false }));
  expect((await planned(bought(1), risk)).obstacles).toEqual([]);
});

test("says nothing of a risk that a person took, or that holds nothing back any more", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  const [id = ""] = (await one.requests()).map((request) => request.id);
  const put = (change: Parameters<typeof putRequest>[2]) =>
    db.tenancy.inShop(shop, (tenant) => putRequest(tenant, id, change));
  await put({ state: "held", reviewReason: { code: "high_risk", detail: null } });
  expect((await planned(bought(1), "high")).obstacles).toEqual(["high_risk"]);
  await releaseRequest(one.ports, { shop, requestId: id, actor: "staff:7" });
  expect((await planned(bought(1), "high")).obstacles).toEqual([]);
  // A unit that comes is asked about by itself.
  expect((await planned(bought(2), "high")).obstacles).toEqual(["high_risk"]);
  await put({ state: "created" });
  expect((await planned(bought(1), "high")).obstacles).toEqual([]);
});

test("shows of a refused test what a retry would send: what its product is mapped to by now", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(2));
  const [refused, sent] = await one.requests();
  if (!refused || !sent) throw new Error("The order opened nothing");
  await db.tenancy.inShop(shop, async (tenant) => {
    const { patient, medicare } = { patient: PATIENT, medicare: null };
    for (const { id } of [refused, sent])
      await tenant.requests.savePatient(id, { patient, medicare }, one.clock.now());
    await putRequest(tenant, refused.id, { state: "rejected" });
    await putRequest(tenant, sent.id, { state: "ready" });
  });
  const items = { ...ONE_TEST, tests: ["tsh"] };
  await mapVariant(db, shop, gid("ProductVariant", 1), { items });
  const [line] = (await planned(bought(2))).lines;
  expect(line?.units.map(({ state, order }) => [state, order.items.tests])).toEqual([
    ["rejected", ["tsh"]],
    ["ready", ["fbc"]],
  ]);
});
