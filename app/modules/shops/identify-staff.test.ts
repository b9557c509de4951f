import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { createLogger } from "../../platform/logger.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { type AskWhoItIs, identifyStaff, type StaffLookups } from "./identify-staff.ts";

const db = await openTestDatabase();
const clock = movableClock();
const ports = { tenancy: db.tenancy, clock, logger: createLogger("silent") };
const MINUTE_MS = 60_000;
let shop: ShopDomain;
/** As Shopify names the store that had the domain first, and the one that has it since. */
let former: string;
let other: string;
/** Of one process. */
let lookups: StaffLookups;

beforeEach(async () => {
  shop = await installedShop(db);
  [former, other] = [`gid://shopify/Shop/${randomUUID()}`, `gid://shopify/Shop/${randomUUID()}`];
  lookups = new Map();
  await identify(former);
});

const identify = (id: string) => db.tenancy.inShop(shop, (tenant) => tenant.shops.identify(id));

/** A visit of a member of staff whose token is of that store; null: Shopify does not answer. */
function visit(staff: number, store: string | null, seenBy = lookups) {
  const ask: AskWhoItIs = async () => {
    if (!store) throw new Error("Shopify does not answer");
    return { id: String(staff), name: "Robin", isAccountOwner: true, storeId: store };
  };
  return identifyStaff(ports, { shop, staff: `staff:${staff}`, ask }, seenBy);
}

const known = async (staff: number) =>
  (await db.tenancy.inShop(shop, (tenant) => tenant.staff.find(`staff:${staff}`)))?.name;

test("staff of another store are told apart at their first visit, before anything else has told the store's id", async () => {
  expect(await visit(71, former)).toBe("ours");
  expect(await visit(72, other)).toBe("of_other_store");
  expect(await known(72)).toBeUndefined();
  // That stands, whatever Shopify answers afterwards, and in another process.
  expect(await visit(72, null)).toBe("of_other_store");
  expect(await visit(73, null, new Map())).toBe("of_other_store");
});

test("another store's id that an order has told ends the visits of everybody, also of those who were let in today", async () => {
  expect(await visit(71, former)).toBe("ours");
  await identify(other);
  expect(await visit(71, null)).toBe("of_other_store");
});

test("the first store's staff are let in again at their next visit when it has its name back", async () => {
  expect(await visit(71, former)).toBe("ours");
  expect(await visit(72, other)).toBe("of_other_store");
  expect(await visit(71, former)).toBe("ours");
  expect(await visit(71, former, new Map())).toBe("ours");
  const { rows } = await db.pool.query("SELECT other_store_id FROM shops WHERE shop = $1", [shop]);
  expect(rows).toEqual([{ other_store_id: null }]);
});

test("Shopify is asked once a minute whose the name is, while it is in doubt", async () => {
  await identify(other);
  expect(await visit(71, other)).toBe("of_other_store");
  expect(await visit(71, former)).toBe("of_other_store");
  clock.advance(MINUTE_MS);
  expect(await visit(71, former)).toBe("ours");
});

test("a store that tells no id, and one that was renamed, let their staff in", async () => {
  const renamed = await installedShop(db);
  await db.tenancy.inShop(renamed, (tenant) => tenant.shops.identify(former));
  expect(await visit(71, former)).toBe("ours");
  shop = renamed;
  expect(await visit(71, former)).toBe("ours");
  const ask = async () => ({ id: "7", name: "Robin", isAccountOwner: false });
  expect(await identifyStaff(ports, { shop, staff: "staff:7", ask }, new Map())).toBe("ours");
});
