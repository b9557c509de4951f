import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting } from "../../../../test/database/locks.ts";
import { mappedShop, storeOrder } from "../../../../test/database/seed.ts";
import { createLogger } from "../../../platform/logger.ts";
import { installShop } from "../../lifecycle/install-shop.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
const logger = createLogger("silent");

test("an order that comes while the shop is being installed again is not left behind", async () => {
  const shop = await mappedShop(db);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(START));
  const clock = { now: () => new Date(START.getTime() + 1000) };
  const order = storeOrder();
  let installing: Promise<unknown> = Promise.resolve();
  const ports = {
    clock,
    storeOrders: { read: async () => order },
    tenancy: {
      ...db.tenancy,
      inShop: ((name, work) =>
        db.tenancy.inShop(name, (tenant) => {
          const { find } = tenant.shops;
          tenant.shops.find = async () => {
            const settings = await find();
            // The merchant opens the app at the worst moment: after this reading, before its consequence.
            if (!settings?.installed) {
              installing = installShop({ tenancy: db.tenancy, clock, logger }, { shop, scope: "" });
              // An install that does not wait for this transaction would be done first.
              await untilWaiting(db, 1, installing);
            }
            return settings;
          };
          return work(tenant);
        })) satisfies typeof db.tenancy.inShop,
    },
  };
  const outcome = await reconcileOrder(ports, { shop, orderId: order.id });
  await installing;
  const { rows } = await db.pool.query("SELECT FROM inbox WHERE shop = $1 AND state = 'parked'", [
    shop,
  ]);
  expect(rows).toEqual([]);
  expect(outcome.kind).toBe("reconciled");
});
