import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { bought, mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import type { StoreOrder } from "../order.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
let one: Awaited<ReturnType<typeof orderInStore>>;
let changes = 0;

beforeEach(async () => {
  shop = await mappedShop(db);
  one = await orderInStore(db, shop);
});

/** The order as it is after one more change in the store. */
const edited = (order: StoreOrder): StoreOrder => ({
  ...order,
  updatedAt: new Date(order.updatedAt.getTime() + ++changes * 1000),
});
const read = (order: StoreOrder) => one.read(order);
const units = async () =>
  (await one.requests())
    .map(({ unit, state, cancellation }) => ({
      unit,
      state,
      by: cancellation?.requestedBy ?? null,
    }))
    .toSorted((a, b) => a.unit - b.unit);

/** A referral was made for these units. */
async function create(...numbers: number[]) {
  for (const { id, unit } of await one.requests())
    if (numbers.includes(unit))
      await db.tenancy.inShop(shop, async (tenant) => {
        await putRequest(tenant, id, { state: "created" });
        await tenant.referrals.save("staging", id, referralSnapshot({ uuid: id }), one.clock.now());
      });
}

const owing = (quantity: number): StoreOrder => ({
  ...bought(quantity),
  ...{ paid: false, paidInPart: true },
});

test("a quantity that is raised after a referral was made opens the new units alone", async () => {
  await read(bought(1));
  await create(1);
  expect(await read(edited(bought(3)))).toMatchObject({ opened: 2, cancelled: 0, surplus: 0 });
  expect(await units()).toEqual([
    { unit: 1, state: "created", by: null },
    { unit: 2, state: "awaiting_details", by: null },
    { unit: 3, state: "awaiting_details", by: null },
  ]);
});

test("a quantity that is lowered below what was made gives up what costs least, and one that was made", async () => {
  await read(bought(3));
  await create(1, 2);
  expect(await read(edited(bought(3, 1)))).toMatchObject({ opened: 0, surplus: 1 });
  expect(await units()).toMatchObject([
    { unit: 1, state: "created", by: null },
    { unit: 2, state: "created", by: "store" },
    { unit: 3, state: "cancelled", by: "store" },
  ]);
});

test("a quantity that is lowered and raised again keeps what was made, and opens no second", async () => {
  await read(bought(2));
  await create(1, 2);
  await read(edited(bought(2, 1)));
  expect(await read(edited(bought(2)))).toMatchObject({ opened: 0, cancelled: 0, surplus: 0 });
  expect(await units()).toEqual([
    { unit: 1, state: "created", by: null },
    { unit: 2, state: "created", by: null },
  ]);
});

test("a unit that was given up unsent and is bought again has a number of its own", async () => {
  await read(bought(2));
  await read(edited(bought(2, 1)));
  expect(await read(edited(bought(2)))).toMatchObject({ opened: 1 });
  expect(await units()).toEqual([
    { unit: 1, state: "awaiting_details", by: null },
    { unit: 2, state: "cancelled", by: "store" },
    { unit: 3, state: "awaiting_details", by: null },
  ]);
});

test("units that were added wait for their money, and are opened once it came", async () => {
  await read(bought(1));
  await create(1);
  expect(await read(edited(owing(3)))).toMatchObject({ opened: 0, cancelled: 0 });
  expect(await one.reviewCode()).toBe("paid_in_part");
  expect(await read(edited(bought(3)))).toMatchObject({ opened: 2 });
  expect(await one.reviewCode()).toBeNull();
  expect(await units()).toHaveLength(3);
});

test("units that were added and not paid, and are taken away again, leave nothing", async () => {
  await read(bought(1));
  await create(1);
  await read(edited(owing(3)));
  expect(await read(edited(bought(3, 1)))).toMatchObject({ opened: 0, cancelled: 0, surplus: 0 });
  expect(await one.reviewCode()).toBeNull();
  expect(await units()).toEqual([{ unit: 1, state: "created", by: null }]);
});

test("an edit that is told twice changes nothing the second time", async () => {
  await read(bought(3));
  await create(1, 2, 3);
  const lowered = edited(bought(3, 1));
  expect(await read(lowered)).toMatchObject({ surplus: 2 });
  const before = await units();
  await read(lowered);
  expect(await units()).toEqual(before);
  const raised = edited(bought(4));
  expect(await read(raised)).toMatchObject({ opened: 1 });
  expect(await read(raised)).toMatchObject({ opened: 0, cancelled: 0, surplus: 0 });
});

test("an edit that comes after a later one changes nothing", async () => {
  await read(bought(1));
  const raised = edited(bought(3));
  const lowered = edited(bought(3, 1));
  await read(lowered);
  expect(await read(raised)).toEqual({ kind: "superseded" });
  expect(await units()).toEqual([{ unit: 1, state: "awaiting_details", by: null }]);
});

test("a line that is taken away and added again as a line of its own is a test of its own", async () => {
  await read(bought(1));
  await create(1);
  const removed = orderLine({ quantity: 1, currentQuantity: 0 });
  await read(edited(storeOrder({ lines: [removed] })));
  const added = { ...orderLine({ number: 2 }), variantId: removed.variantId };
  const again = edited(
    storeOrder({ lines: [removed, { ...added, productId: removed.productId }] }),
  );
  expect(await read(again)).toMatchObject({ opened: 1 });
  const requests = await one.requests();
  expect(requests.map(({ state, cancellation }) => [state, cancellation?.requestedBy])).toEqual(
    expect.arrayContaining([
      ["created", "store"],
      ["awaiting_details", undefined],
    ]),
  );
});
