import { beforeEach, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { IN_DATABASE } from "../../../test/database/in-database.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { takeJobs } from "../../../test/database/take-jobs.ts";
import { answer } from "../../clients/referral-service/testing/start-server.ts";
import { startService } from "../../clients/referral-service/testing/start-service.ts";
import { createLogger } from "../../platform/logger.ts";
import { describeMargin } from "../catalogue/mapping-words.ts";
import { CATALOGUE_KEPT_MS, refreshCatalogue } from "../catalogue/refresh-catalogue.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { createTimelineEnder } from "../privacy/postgres/timeline-ender.ts";
import { readVariant } from "../reports/read-mappings.ts";
import { maintainShop } from "./maintain-shop.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const variantId = gid("ProductVariant", 1);
const productId = gid("Product", 1);
let shop: ShopDomain;

beforeEach(async () => {
  shop = await installedShop(db);
  await connect(db, shop);
});

/** A service that asks this price, and answers with this status. */
async function start() {
  const state = { price: 1250, status: 200, isEmpty: false, id: "fbc" };
  const { client } = await startService(({ target }, response) => {
    const blood = { id: state.id, name: "Full blood count", price: state.price, object: "test" };
    if (state.status !== 200) return answer(response, state.status, {});
    if (target === "/v1/tests") return answer(response, 200, state.isEmpty ? [] : [blood]);
    return answer(response, 200, { cursor: { resultCount: 0, count: 20 }, bundles: [] });
  });
  const variant = {
    ...{ id: variantId, productId, productTitle: "Blood count", variantTitle: null, sku: null },
    ...{ priceCents: 2_000, productStatus: "active" as const },
  };
  const clock = movableClock();
  const ports = {
    ...{ tenancy: db.tenancy, clock, logger: createLogger("silent") },
    documentBodies: IN_DATABASE,
    timelineEnder: createTimelineEnder(db.pool),
    maintenanceIntervalMs: 3_600_000,
    waits: { reminderDayMs: 86_400_000 },
    services: { forConnection: async () => client },
    storeProducts: {
      variants: async () => ({ variants: [variant], next: null }),
      publish: async () => ({ kind: "published" as const }),
    },
  };
  /** Does the regular work, and of what it asks for the catalogue. */
  const tend = async () => {
    await maintainShop(ports, { shop });
    const jobs = await takeJobs(db, shop, "refresh-catalogue");
    for (const job of jobs) await refreshCatalogue(ports, job);
    return jobs.length;
  };
  const margin = async () => {
    const found = await readVariant(ports, { shop, variantId, environment });
    if (!found?.cost) return null;
    const { priceCents: cents, currency, cost } = found;
    return describeMargin({ cents, currency }, cost.cents);
  };
  return { state, clock, tend, margin, ports };
}

test("a new price at the service is a new margin a day later, without anybody's click", async () => {
  const { state, clock, tend, margin } = await start();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({
      ...{ environment, variantId, productId, kind: "order" },
      items: { bundleId: null, tests: ["fbc"], medicareTests: [], practitioner: null },
    }),
  );
  expect(await tend()).toBe(1);
  expect(await margin()).toMatch(/7\.50/);
  state.price = 2_500;
  expect(await tend()).toBe(0);
  clock.advance(CATALOGUE_KEPT_MS);
  expect(await tend()).toBe(1);
  expect(await margin()).toMatch(/5\.00/);
  const { rows } = await db.pool.query("SELECT fetched_at FROM catalogues WHERE shop = $1", [shop]);
  expect(rows).toEqual([{ fetched_at: clock.now() }]);
});

test("tells the shop once that a product on sale can't be ordered any more, before somebody buys it", async () => {
  const { state, clock, tend, ports } = await start();
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.setContactEmail("owner@example.com");
    await tenant.mappings.save({
      ...{ environment, variantId, productId, kind: "order" },
      items: { bundleId: null, tests: ["fbc"], medicareTests: [], practitioner: null },
    });
  });
  const told = async () => {
    const { rows } = await db.pool.query<{ facts: unknown }>(
      "SELECT facts FROM alert_mails WHERE shop = $1",
      [shop],
    );
    return rows.map(({ facts }) => facts);
  };
  await tend();
  // Its product is listed meanwhile.
  expect(await readVariant(ports, { shop, variantId, environment })).not.toBeNull();
  expect(await told()).toEqual([]);
  state.id = "another";
  clock.advance(CATALOGUE_KEPT_MS);
  await tend();
  const facts = { kind: "attention", orders: [], count: 0, broken: { environment, products: 1 } };
  expect(await told()).toEqual([facts]);
  clock.advance(CATALOGUE_KEPT_MS);
  await tend();
  expect(await told()).toEqual([facts]);
});

test("a service that is down takes no catalogue away, and says nothing of the merchant's own test", async () => {
  const { state, clock, tend, margin } = await start();
  await tend();
  const before = await margin();
  state.status = 500;
  clock.advance(CATALOGUE_KEPT_MS);
  await expect(tend()).rejects.toMatchObject({ failure: "server" });
  expect(await margin()).toBe(before);
  const connection = await db.tenancy.inShop(shop, (t) => t.connections.find(environment));
  expect(connection?.lastTestOutcome).toBeNull();
});

test("an empty list takes no catalogue away while nobody looks", async () => {
  const { state, clock, tend } = await start();
  const tests = async () =>
    (await db.tenancy.inShop(shop, (tenant) => tenant.catalogues.find(environment)))?.tests.length;
  await tend();
  state.isEmpty = true;
  clock.advance(CATALOGUE_KEPT_MS);
  await tend();
  expect(await tests()).toBe(1);
  state.isEmpty = false;
  expect(await tend()).toBe(1);
});
