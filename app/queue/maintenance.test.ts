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

/** Shopify signs a body and no shop's name: a stolen message can be sent in the name of any shop. */
test("looks after shops that never installed the app once their messages are old", async () => {
  const strangers = ["old", "new"].map((name) => `stranger-${name}.myshopify.com` as const);
  for (const shop of strangers) {
    await db.tenancy.inShop(shop, async () => {});
    await db.pool.query(
      `INSERT INTO inbox (shop, source, topic, event_id, received_at, state)
       VALUES ($1, 'shopify', 'orders/paid', 'e', now() - $2::interval, 'done')`,
      [shop, shop.includes("old") ? "91 days" : "89 days"],
    );
  }
  const { promise, resolve: turned, reject: failed } = Promise.withResolvers<void>();
  const maintenance = startMaintenance(db.pool, { turned, failed }, 0);
  await promise.finally(() => maintenance.stop());
  const { rows } = await db.pool.query(
    "SELECT shop FROM outbox WHERE name = 'maintain-shop' AND shop LIKE 'stranger-%'",
  );
  expect(rows).toEqual([{ shop: strangers[0] }]);
});
