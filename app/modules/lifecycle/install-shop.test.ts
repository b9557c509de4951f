import { expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop, readyRequest } from "../../../test/database/seed.ts";
import { installShop } from "./install-shop.ts";

const db = await openTestDatabase();

async function start() {
  const clock = movableClock();
  const shop = await installedShop(db);
  const install = () => installShop({ tenancy: db.tenancy, clock }, { shop, scope: "read_orders" });
  const uninstall = (at: Date) => db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(at));
  /** Requests that are taken up. */
  const jobs = async () => {
    const taken = "DELETE FROM outbox WHERE shop = $1 RETURNING name";
    const { rows } = await db.pool.query<{ name: string }>(taken, [shop]);
    return rows.filter(({ name }) => name === "create-referral").length;
  };
  return { clock, shop, install, uninstall, jobs };
}

test("an uninstall whose message comes after the next sign-in ends nothing", async () => {
  const { clock, install, uninstall } = await start();
  clock.advance(1000);
  const uninstalledAt = clock.now();
  clock.advance(1000);
  await install();
  expect(await uninstall(uninstalledAt)).toBe(false);
  clock.advance(1000);
  expect(await uninstall(clock.now())).toBe(true);
});

test("work that found the shop gone is taken up again, once for each install", async () => {
  const { clock, shop, install, uninstall, jobs } = await start();
  await readyRequest(db, shop);
  await uninstall(clock.now());
  await jobs();
  clock.advance(1000);
  await install();
  expect(await jobs()).toBe(1);
  await install();
  expect(await jobs()).toBe(0);
});
