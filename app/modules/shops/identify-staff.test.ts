import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { unknownStaff } from "../../platform/counters.ts";
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

/** A visit at which Shopify tells who it is, and not of which store. */
const withoutStore = (staff: number, seenBy: StaffLookups = new Map()) => {
  const ask = async () => ({ id: String(staff), name: "Robin", isAccountOwner: false });
  return identifyStaff(ports, { shop, staff: `staff:${staff}`, ask }, seenBy);
};

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

test("a store whose id was never read, and one that was renamed, let their staff in", async () => {
  const renamed = await installedShop(db);
  await db.tenancy.inShop(renamed, (tenant) => tenant.shops.identify(former));
  expect(await visit(71, former)).toBe("ours");
  shop = renamed;
  expect(await visit(71, former)).toBe("ours");
  shop = await installedShop(db);
  expect(await withoutStore(7)).toBe("ours");
});

test("each visit that stays unknown is counted by why, for whoever operates the processes", async () => {
  const counted = () =>
    Object.fromEntries(unknownStaff.values().map(({ labels, value }) => [labels.code, value]));
  const before = counted();
  const as = (told: Awaited<ReturnType<AskWhoItIs>>) =>
    identifyStaff(ports, { shop, staff: "staff:79", ask: async () => told }, new Map());
  await as(null);
  await as({ id: "79", name: "Robin", isAccountOwner: true });
  await as({ id: "80", name: "Mo", isAccountOwner: true, storeId: former });
  await as({ id: "79", name: "Robin", isAccountOwner: true, storeId: former });
  const grown = Object.entries(counted()).map(([code, n]) => [code, n - (before[code] ?? 0)]);
  expect(Object.fromEntries(grown)).toEqual({ no_answer: 1, no_store: 1, other_person: 1 });
});

test("somebody whom Shopify has never told about is unknown, and is asked about again within seconds", async () => {
  expect(await visit(74, null)).toBe("unknown");
  expect(await visit(74, former)).toBe("unknown");
  clock.advance(MINUTE_MS / 6);
  expect(await visit(74, former)).toBe("ours");
  expect(await known(74)).toBe("Robin");
  // Somebody who was known once stays so while Shopify does not answer.
  clock.advance(25 * 60 * MINUTE_MS);
  expect(await visit(74, null)).toBe("ours");
  expect(await visit(74, null, new Map())).toBe("ours");
});

test("somebody whose token Shopify gives to nobody, or to another person, stays unknown", async () => {
  const names = async () => ({ id: "76", name: "Mo", isAccountOwner: true, storeId: former });
  for (const ask of [async () => null, names]) {
    const seen = identifyStaff(ports, { shop, staff: "staff:75", ask }, new Map());
    expect(await seen).toBe("unknown");
  }
  expect([await known(75), await known(76)]).toEqual([undefined, undefined]);
});

test("somebody new is unknown until Shopify has told of which store they are, and one who is known is asked about again", async () => {
  expect(await withoutStore(77)).toBe("unknown");
  expect(await known(77)).toBeUndefined();
  expect(await visit(77, former)).toBe("ours");
  clock.advance(25 * 60 * MINUTE_MS);
  expect(await withoutStore(77, lookups)).toBe("ours");
  clock.advance(MINUTE_MS);
  expect(await visit(77, other)).toBe("of_other_store");
});

test("somebody who belongs to both stores is let in once the first one has its name back", async () => {
  expect(await visit(78, other)).toBe("of_other_store");
  expect(await visit(71, former)).toBe("ours");
  clock.advance(MINUTE_MS);
  expect(await visit(78, former)).toBe("ours");
});
