import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";
import { type ShopDomain, shopDomain } from "../modules/kernel/ids.ts";
import { createLogger } from "../platform/logger.ts";
import { createTenancy } from "../tenancy.ts";
import { sealAccessLogs } from "./access-sealing.ts";

const db = await openTestDatabase();
const tenancy = createTenancy({ database: db, sealers: db.sealers, onJobs: () => {} });

const sealed = async (shop: ShopDomain) =>
  (await db.pool.query("SELECT FROM access_log_seals WHERE shop = $1", [shop])).rowCount;

test("chains the logs of others while one shop's takes nothing, and that one afterwards", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pathway-anchors-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const shops = [await installedShop(db), await installedShop(db), await installedShop(db)];
  for (const shop of shops)
    await tenancy.inShop(shop, ({ accessLog }) =>
      accessLog.add({ at: new Date(), who: "job", what: "details_viewed" }),
    );
  let locked: ShopDomain | null = null;
  const tried: string[] = [];
  const anchored = new Map<string, number>();
  const stuck = new Set<string>();
  const seal = () =>
    sealAccessLogs(
      {
        ...{ pool: db.pool, folder, clock: { now: () => new Date() } },
        logger: createLogger("silent"),
        inLog: (log, work) => {
          tried.push(log);
          if (log === locked) return Promise.reject(new Error("somebody holds a lock"));
          const shop = shopDomain(log);
          return shop ? tenancy.inShop(shop, work) : tenancy.inInstallation(work);
        },
      },
      anchored,
      stuck,
    );
  // The one that would be first.
  await seal();
  const first = shopDomain(tried[0] ?? "") ?? expect.unreachable();
  for (const shop of shops)
    await tenancy.inShop(shop, ({ accessLog }) =>
      accessLog.add({ at: new Date(), who: "job", what: "details_viewed" }),
    );
  locked = first;
  for (let turn = 0; turn < 2; turn++)
    await expect(seal()).rejects.toThrow("somebody holds a lock");
  expect(await Promise.all(shops.map(sealed))).toEqual(
    shops.map((shop) => (shop === first ? 1 : 2)),
  );
  locked = null;
  await seal();
  expect(await sealed(first)).toBe(2);
  expect(shops.map((shop) => anchored.get(shop))).toEqual([2, 2, 2]);
});

test("chains every log while the anchors' disk is full, and notes each head once there is room", async () => {
  const parent = mkdtempSync(join(tmpdir(), "pathway-anchors-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, "audit");
  // A file in the folder's place takes no anchor either.
  writeFileSync(folder, "");
  const shops = [await installedShop(db), await installedShop(db)];
  for (const shop of shops)
    await tenancy.inShop(shop, ({ accessLog }) =>
      accessLog.add({ at: new Date(), who: "job", what: "details_viewed" }),
    );
  const anchored = new Map<string, number>();
  const seal = () =>
    sealAccessLogs(
      {
        ...{ pool: db.pool, folder, clock: { now: () => new Date() } },
        logger: createLogger("silent"),
        inLog: (log, work) => {
          const shop = shopDomain(log);
          return shop ? tenancy.inShop(shop, work) : tenancy.inInstallation(work);
        },
      },
      anchored,
    );
  await expect(seal()).rejects.toMatchObject({ code: "EEXIST" });
  expect(await Promise.all(shops.map(sealed))).toEqual([1, 1]);
  rmSync(folder);
  await seal();
  expect(shops.map((shop) => anchored.get(shop))).toEqual([1, 1]);
});
