import { beforeEach, expect, test } from "vitest";
import { countStatements } from "../../../../test/database/count-statements.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import type { ShopDomain } from "../../kernel/ids.ts";

const db = await openTestDatabase();
const UNITS = 104;
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

const bought = (left: number) =>
  storeOrder({ lines: [orderLine({ quantity: UNITS, currentQuantity: left })] });

/** Whether the order is to be read once more; takes the job away. */
const isReadAgain = async () => (await takeJobs(db, shop, "reconcile-order")).length > 0;

test("opens the units of a large order with few statements, and holds none of them back", async () => {
  const one = await orderInStore(db, shop);
  const statements = await countStatements(async () => {
    expect(await one.read(bought(UNITS))).toMatchObject({ opened: UNITS });
  });
  expect(statements).toBeLessThan(UNITS);
  expect(await one.reviewCode()).toBeNull();
  expect(await isReadAgain()).toBe(false);
});

test("gives the units of a large order up in parts, first those that could be sent meanwhile", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(UNITS));
  const [first, second] = await one.requests();
  await db.tenancy.inShop(shop, async (tenant) => {
    for (const request of [first, second])
      await putRequest(tenant, request?.id ?? "", { state: "ready" });
  });

  expect(await one.read(bought(0))).toMatchObject({ cancelled: 100 });
  expect(await isReadAgain()).toBe(true);
  expect((await one.requests()).slice(0, 2)).toMatchObject([
    { id: first?.id, state: "cancelled" },
    { id: second?.id, state: "cancelled" },
  ]);
  expect(await one.read(bought(0))).toMatchObject({ cancelled: UNITS - 100 });
  expect(await isReadAgain()).toBe(false);
  expect(await one.read(bought(0))).toMatchObject({ opened: 0, cancelled: 0 });
});

test("asks a person about each sent unit of a large order once, and is then done", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(UNITS));
  await db.pool.query("UPDATE referral_requests SET state = 'created' WHERE shop = $1", [shop]);
  await db.pool.query("UPDATE shops SET refund_policy = 'ask' WHERE shop = $1", [shop]);
  await one.read(bought(0));
  expect(await isReadAgain()).toBe(true);
  await one.read(bought(0));
  expect(await isReadAgain()).toBe(false);
  const reasons = (await one.requests()).map(({ reviewReason }) => reviewReason?.code);
  expect(reasons).toEqual(Array(UNITS).fill("refunded_after_sending"));
});
