import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { keepRequest } from "../../referrals/keep-request.ts";
import { reasonKey } from "../../referrals/review-reason.ts";
import { markHandled } from "../../reports/mark-handled.ts";

const db = await openTestDatabase();
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** An order of one unit, whose test was made and stands so at the service. */
async function made(status: string) {
  const one = await orderInStore(db, shop);
  const become = (left: number) =>
    one.read(storeOrder({ lines: [orderLine({ quantity: 1, currentQuantity: left })] }));
  await become(1);
  const [unit] = await one.requests();
  if (!unit) throw new Error("No unit was opened");
  await db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, unit.id, { state: "created" });
    const snapshot = referralSnapshot({ status });
    await tenant.referrals.save("staging", unit.id, snapshot, one.clock.now());
  });
  const reasons = async () =>
    (await one.requests()).map(({ reason }) => reason && reasonKey(reason));
  const handle = (reason: string) =>
    markHandled(one.ports, { shop, orderId: gid("Order", 1001), reason, actor: "staff:1" });
  return { become, reasons, handle, ports: one.ports, requestId: unit.id };
}

test.each(["COMPLETE", "PARTIAL_RESULTS"])(
  "asks a person whether another test was bought when a unit that was taken back %s is on its line again",
  async (status) => {
    const { become, reasons, handle } = await made(status);
    await become(0);
    expect(await reasons()).toEqual(["refunded_after_results"]);
    expect(await become(1)).toMatchObject({ opened: 0 });
    expect(await reasons()).toEqual(["bought_again"]);
    expect(await handle("bought_again")).toMatchObject({ kind: "marked" });
    await become(1);
    expect(await reasons()).toEqual([null]);
    // The same once more is another question.
    await become(0);
    expect(await reasons()).toEqual(["refunded_after_results"]);
    await become(1);
    expect(await reasons()).toEqual(["bought_again"]);
  },
);

test("asks also when somebody had dealt with the refund", async () => {
  const { become, reasons, handle } = await made("COMPLETE");
  await become(0);
  await handle("refunded_after_results");
  expect(await reasons()).toEqual([null]);
  await become(1);
  expect(await reasons()).toEqual(["bought_again"]);
});

test("goes on with a test that has no results yet, and asks nobody", async () => {
  const { become, reasons } = await made("ISSUED");
  await become(0);
  await become(1);
  expect(await reasons()).toEqual([null]);
});

test("asks about a refunded test that the shop let its patient keep: the unit on the order may be another one", async () => {
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ refundPolicy: "ask" }));
  const { become, reasons, ports, requestId } = await made("ISSUED");
  await become(0);
  expect(await reasons()).toEqual(["refunded_after_sending"]);
  const kept = { shop, requestId, actor: "staff:1" } as const;
  expect(await keepRequest(ports, kept)).toEqual({ kind: "kept" });
  expect(await become(1)).toMatchObject({ opened: 0 });
  expect(await reasons()).toEqual(["bought_again"]);
});
