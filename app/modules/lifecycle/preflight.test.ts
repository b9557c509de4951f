import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { connect, mapVariant } from "../../../test/database/seed.ts";
import type { StoreVariant } from "../catalogue/store-products.ts";
import { gid } from "../kernel/ids.ts";
import { readHome } from "../reports/read-home.ts";
import { readSettings } from "../reports/read-settings.ts";
import { describeMappingStep } from "../reports/setup-words.ts";
import { savePolicies } from "./save-policies.ts";
import { testConnection } from "./test-connection.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;

const SOLD: StoreVariant = {
  id: gid("ProductVariant", 1),
  productId: gid("Product", 1),
  productTitle: "Blood count",
  variantTitle: null,
  sku: null,
  priceCents: 5_000,
  productStatus: "active",
};

async function start() {
  const { shop, ports, service } = await startLedger(db);
  await connect(db, shop, "production");
  const sell = (number: number, fields: Partial<StoreVariant> = {}) =>
    db.tenancy.inShop(shop, async (tenant) => {
      const at = await tenant.storeVariants.beginReading();
      await tenant.storeVariants.put(
        [{ ...SOLD, id: gid("ProductVariant", number), ...fields }],
        at,
      );
    });
  const read = () => readSettings({ ...ports, emailByService: false }, shop);
  const open = async () =>
    (await read()).preflight?.flatMap(({ code, isMet, count }) => (isMet ? [] : [[code, count]]));
  const goLive = async () =>
    savePolicies(ports, {
      shop,
      actor,
      cancelWaiting: null,
      policies: { ...(await read()).policies, environment: "production" },
      clinicalTexts: { version: "1", isAccepted: true },
    });
  const isTested = (outcome: string) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordTest("production", { at: ports.clock.now(), outcome }),
    );
  return { shop, ports, service, sell, read, open, goLive, isTested };
}

test("nobody goes live with nothing mapped, or with a connection that does not work", async () => {
  const { shop, service, goLive, open, read } = await start();
  expect(await goLive()).toMatchObject({ kind: "not_ready" });
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  service.listWorks = false;
  service.listFailure = 401;
  expect(await goLive()).toMatchObject({ kind: "not_ready" });
  expect((await open())?.map(([code]) => code)).toContain("connection");
  expect((await read()).policies.environment).toBe("staging");
  service.listWorks = true;
  expect(await goLive()).toEqual({ kind: "saved", cancelled: 0 });
  expect(await read()).toMatchObject({ preflight: null, policies: { environment: "production" } });
});

test("says what is mapped in staging only, and whom patients could not reach", async () => {
  const { shop, open, isTested } = await start();
  await isTested("ok");
  for (const number of [1, 2, 3]) await mapVariant(db, shop, gid("ProductVariant", number));
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  expect(await open()).toEqual([
    ["mappings_of_staging", 2],
    ["events", null],
    ["clinical_texts", null],
    ["reviewer", null],
    ["contact", null],
    ["help", null],
  ]);
});

test("counts no mapping as ready that production cannot take, or whose product has gone", async () => {
  const { shop, sell, open, isTested, goLive, service } = await start();
  await isTested("ok");
  for (const number of [1, 2, 3]) {
    await sell(number);
    await mapVariant(db, shop, gid("ProductVariant", number), { environment: "production" });
  }
  // The catalogue that is stored is of before the service withdrew the test.
  service.tests = [{ id: "other", name: "Another test", price: 1_000 }];
  const outcome = await goLive();
  expect(outcome).toMatchObject({ kind: "not_ready" });
  expect(await open()).toContainEqual(["mappings", 0]);
  expect(await open()).toContainEqual(["mappings_broken", 3]);
  service.tests.push({ id: "fbc", name: "Full blood count", price: 1_250 });
  expect(await goLive()).toEqual({ kind: "saved", cancelled: 0 });
});

test("asks nothing about a mapping in staging whose product has gone", async () => {
  const { shop, sell, open, isTested } = await start();
  await isTested("ok");
  for (const number of [1, 2]) {
    await sell(number);
    await mapVariant(db, shop, gid("ProductVariant", number));
  }
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  expect(await open()).toContainEqual(["mappings_of_staging", 1]);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.storeVariants.dropOthers(SOLD.productId, [gid("ProductVariant", 1)], new Date()),
  );
  expect((await open())?.map(([code]) => code)).not.toContain("mappings_of_staging");
});

test("says what costs more than it is sold for, by the prices of the moment", async () => {
  const { shop, sell, open, goLive, service } = await start();
  await sell(1);
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  service.tests = [{ id: "fbc", name: "Full blood count", price: 6_000 }];
  // The page that went live showed no loss: it is asked again.
  expect(await goLive()).toMatchObject({ kind: "not_ready" });
  expect(await open()).toContainEqual(["losses", 1]);
  expect(await goLive()).toEqual({ kind: "saved", cancelled: 0 });
});

test("the setup is not done while something on sale cannot be ordered as mapped", async () => {
  const { shop, ports, sell, goLive, service } = await start();
  await sell(1);
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  await goLive();
  expect((await readHome(ports, shop)).setup).toMatchObject({ hasMapping: true, isLive: true });
  service.tests = [{ id: "other", name: "Another test", price: 1_000 }];
  await testConnection(ports, { shop, environment: "production" });
  const home = await readHome(ports, shop);
  expect(home.setup.hasMapping).toBe(false);
  expect(describeMappingStep(home).text).toMatch(/^1 variant on sale can’t be ordered/);
});

test("there is nothing to look at before production is connected", async () => {
  const { ports, shop } = await startLedger(db);
  expect((await readSettings({ ...ports, emailByService: false }, shop)).preflight).toBeNull();
});
