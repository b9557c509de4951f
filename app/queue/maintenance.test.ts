import { expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { privacyRun } from "../../test/database/privacy-run.ts";
import { maintainShop } from "../modules/lifecycle/maintain-shop.ts";
import { startMaintenance } from "./maintenance.ts";

const db = await openTestDatabase();
const run = privacyRun(db);

/** Its `shop/redact` got lost, or was refused. */
test("keeps the retention of a shop that has left, and does nothing else there", async () => {
  const { shop, clock, ports } = await run.start();
  const id = await run.wholeStory("canary-left");
  await run.perform(await run.asked("customer_data_requested"));
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.setRetention(12);
    await tenant.shops.uninstall(clock.now());
  });
  clock.advance(400 * 86_400_000);
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);

  const { promise, resolve: turned, reject: failed } = Promise.withResolvers<void>();
  const maintenance = startMaintenance(db.pool, { turned, failed }, 0);
  await promise.finally(() => maintenance.stop());
  const jobs = "DELETE FROM outbox WHERE shop = $1 RETURNING name";
  const asked = await db.pool.query<{ name: string }>(jobs, [shop]);
  expect(asked.rows).toEqual([{ name: "maintain-shop" }]);

  const waits = { reminderDayMs: 86_400_000 };
  await maintainShop({ ...ports, waits, maintenanceIntervalMs: 3_600_000 }, { shop });
  expect((await run.find(id)).details).toBeNull();
  expect(await run.everythingOpened()).not.toContain("canary-left");
  expect((await db.pool.query(jobs, [shop])).rows).toEqual([]);
});
