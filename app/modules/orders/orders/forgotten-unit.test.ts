import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { redact } from "../../privacy/privacy/redact.ts";

const db = await openTestDatabase();

test("a unit whose data was destroyed unsent is not asked for anew, and goes when it is refunded", async () => {
  const shop = await mappedShop(db);
  const one = await orderInStore(db, shop);
  const lines = [orderLine({ quantity: 2 })];
  await one.read(storeOrder({ lines }));
  // The first one carries the mail that asks for all.
  const [, other] = (await one.requests()).toSorted((a, b) => a.unit - b.unit);
  // The shop keeps it no longer. The order is kept, because staff marked it in Shopify since.
  await db.tenancy.inShop(shop, (tenant) =>
    redact(tenant, { requestIds: [other?.id ?? ""], orderIds: [] }, one.clock.now()),
  );
  await takeJobs(db, shop, "send-mail");
  expect(await one.read(storeOrder({ lines }))).toMatchObject({ opened: 0, cancelled: 0 });
  expect(await takeJobs(db, shop, "send-mail")).toEqual([]);
  const less = [orderLine({ quantity: 2, currentQuantity: 1 })];
  await one.read(storeOrder({ lines: less }));
  expect((await one.requests()).map(({ state }) => state).toSorted()).toEqual([
    "awaiting_details",
    "cancelled",
  ]);
  expect(await one.read(storeOrder({ lines: less }))).toMatchObject({ opened: 0, cancelled: 0 });
});
