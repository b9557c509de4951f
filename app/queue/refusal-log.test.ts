import { expect, test } from "vitest";
import { movableClock } from "../../test/database/clock.ts";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";
import { INSTALLATION } from "../modules/kernel/access-chain.ts";
import { type ShopDomain, shopDomain } from "../modules/kernel/ids.ts";
import { createLogger } from "../platform/logger.ts";
import { createTenancy } from "../tenancy.ts";
import { createRefusalLog } from "./refusal-log.ts";

const db = await openTestDatabase();
const tenancy = createTenancy({ database: db, sealers: db.sealers, onJobs: () => {} });

function start() {
  let down: boolean | ShopDomain = false;
  const log = createRefusalLog({
    inLog: (name, work) => {
      if (down === true || down === name) return Promise.reject(new Error("down"));
      const shop = shopDomain(name);
      return shop ? tenancy.inShop(shop, work) : tenancy.inInstallation(work);
    },
    isOurs: (shop) => db.sealers.knows(shop),
    clock: movableClock(),
    logger: createLogger("silent"),
  });
  return { log, setDown: (value: boolean | ShopDomain) => (down = value) };
}

async function written(shop: string) {
  const { rows } = await db.pool.query(
    `SELECT who, what, detail->>'place' AS place, (detail->>'count')::int AS count
     FROM access_log WHERE shop = $1 ORDER BY id`,
    [shop],
  );
  await db.pool.query("DELETE FROM access_log WHERE shop = $1", [shop]);
  return rows;
}
const refused = (what: string, place: string, count: number) => ({
  ...{ who: "unknown", what, place, count },
});

test("writes one row for a thousand refusals of one kind, in the log of the shop that they named", async () => {
  const shop = await installedShop(db);
  const { log } = start();
  for (let one = 0; one < 1000; one++) log.note("service_event", shop);
  log.note("staff_token", shop);
  await log.flush();
  await log.flush();
  expect(await written(shop)).toEqual([
    refused("signature_refused", "service_event", 1000),
    refused("sign_in_refused", "staff_token", 1),
  ]);
});

test("tells the refused events of one connection from those of the other", async () => {
  const shop = await installedShop(db);
  const { log } = start();
  log.note("service_event", shop, "staging");
  log.note("service_event", shop, "production");
  log.note("service_event", shop, "production");
  await log.flush();
  const count = (environment: "staging" | "production") =>
    tenancy.inShop(shop, ({ accessLog }) =>
      accessLog.signaturesRefused("service_event", new Date(0), environment),
    );
  expect([await count("staging"), await count("production")]).toEqual([1, 2]);
});

test("writes what names no shop of ours to the installation's log, and makes no shop of it", async () => {
  const { log } = start();
  const stranger: ShopDomain = "stranger.myshopify.com";
  log.note("webhook", stranger);
  log.note("customer_token");
  await log.flush();
  expect(await written(stranger)).toEqual([]);
  expect(await written(INSTALLATION)).toEqual([
    refused("signature_refused", "webhook", 1),
    refused("sign_in_refused", "customer_token", 1),
  ]);
  expect(await db.sealers.knows(stranger)).toBe(false);
});

test("tells no more than 200 shops apart under a flood of made-up ones", async () => {
  const { log } = start();
  for (let one = 0; one < 500; one++) log.note("webhook", `flood-${one}.myshopify.com`);
  await log.flush();
  const rows = await written(INSTALLATION);
  expect(rows.length).toBeLessThanOrEqual(201);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(500);
});

test("keeps counts that could not be written for the next turn", async () => {
  const { log, setDown } = start();
  log.note("link");
  setDown(true);
  await expect(log.flush()).rejects.toThrow("down");
  log.note("link");
  setDown(false);
  await log.flush();
  expect(await written(INSTALLATION)).toEqual([refused("sign_in_refused", "link", 2)]);
});

test("writes the refusals of others while one shop's log takes none", async () => {
  const [one, other] = [await installedShop(db), await installedShop(db)];
  const { log, setDown } = start();
  log.note("staff_token", one);
  log.note("staff_token", other);
  setDown(one);
  for (let turn = 0; turn < 2; turn++) await expect(log.flush()).rejects.toThrow("down");
  expect(await written(other)).toEqual([refused("sign_in_refused", "staff_token", 1)]);
  setDown(false);
  await log.flush();
  expect(await written(one)).toEqual([refused("sign_in_refused", "staff_token", 1)]);
});
