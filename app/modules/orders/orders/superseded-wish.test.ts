/** A reading that a person asked for is overtaken by one that knows nothing of it: what was asked for is done all the same. */
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import {
  installedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { gid } from "../../kernel/ids.ts";
import type { StoreOrder } from "../order.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);
const VARIANT = gid("ProductVariant", 1);
const SOLD = storeOrder({ lines: [orderLine()] });

/** An order that was sold while its product was no test, which is one by now. */
async function start() {
  const shop = await installedShop(db);
  const one = await orderInStore(db, shop);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({
      ...{ environment: "staging", variantId: VARIANT, productId: gid("Product", 1) },
      kind: "ignored",
    }),
  );
  await one.read(SOLD);
  await mapVariant(db, shop, VARIANT);
  const jobs = () => takeJobs(db, shop, "reconcile-order");
  await jobs();
  /** A reading of such a job that another one overtakes, which finds the order as it has become. */
  async function overtaken(wish: object, later = SOLD) {
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<StoreOrder>();
    const read = () => {
      begun.resolve();
      return answer.promise;
    };
    const asked = { ...one.ports, storeOrders: { read } };
    const early = reconcileOrder(asked, { shop, orderId: ORDER, ...wish });
    await begun.promise;
    expect(await one.read(later)).toMatchObject({ kind: "reconciled", opened: 0 });
    answer.resolve(SOLD);
    expect(await early).toEqual({ kind: "superseded" });
  }
  return { ...one, shop, jobs, overtaken };
}

const LATER = { ...SOLD, updatedAt: new Date(SOLD.updatedAt.getTime() + 1000) };

test.each([
  ["an import", { isWanted: true }, SOLD],
  ["an import, of an order that changed meanwhile", { isWanted: true }, LATER],
  ["the end of a mistake", { ignoredSince: "2026-01-01T00:00:00.000Z" }, SOLD],
])("%s is asked for again, and ends", async (_, wish, later) => {
  const { clock, jobs, overtaken, ports, requests, shop } = await start();
  await overtaken(wish, later);
  const { rows } = await db.pool.query<{ at: Date }>(
    "SELECT start_after AS at FROM outbox WHERE shop = $1 AND name = 'reconcile-order'",
    [shop],
  );
  // A store whose answer stays behind is not asked without a pause.
  expect(rows).toEqual([{ at: new Date(clock.now().getTime() + 10_000) }]);
  const [again, ...more] = await jobs();
  expect([again, more]).toEqual([{ shop, orderId: ORDER, ...wish }, []]);
  clock.advance(10_000);
  expect(await reconcileOrder(ports, { shop, orderId: ORDER, ...again })).toMatchObject({
    opened: 1,
  });
  expect(await requests()).toHaveLength(1);
  expect(await jobs()).toEqual([]);
});

test("a reading that nobody asked for ends with the one that overtook it", async () => {
  const { jobs, overtaken } = await start();
  await overtaken({});
  expect(await jobs()).toEqual([]);
});
