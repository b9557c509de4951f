import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop, mapVariant } from "../../../test/database/seed.ts";
import { startSmallStore } from "../../../test/database/small-store.ts";
import { gid } from "../ids.ts";
import { reconcileProduct } from "./reconcile-product.ts";

const db = await openTestDatabase();
const PRODUCT = gid("Product", 1);
const VARIANTS = [gid("ProductVariant", 1), gid("ProductVariant", 2)];

async function start() {
  const shop = await installedShop(db);
  const store = await startSmallStore();
  onTestFinished(() => store.close());
  for (const variantId of VARIANTS) {
    await mapVariant(db, shop, variantId);
    store.variants.add(variantId);
  }
  const ports = { tenancy: db.tenancy, clock: movableClock(), ...store };
  return {
    shop,
    store,
    told: () => reconcileProduct(ports, { shop, productId: PRODUCT }),
    gone: () =>
      db.tenancy.inShop(shop, async (tenant) =>
        (await tenant.mappings.all("staging")).filter((one) => one.goneAt).map((m) => m.variantId),
      ),
  };
}

test("a variant that is gone marks its mapping, and its return takes the mark away", async () => {
  const { store, told, gone } = await start();
  expect(await told()).toEqual({ kind: "reconciled", gone: 0 });
  store.variants.delete(VARIANTS[0] ?? "");
  expect(await told()).toEqual({ kind: "reconciled", gone: 1 });
  expect(await gone()).toEqual([VARIANTS[0]]);
  store.variants.add(VARIANTS[0] ?? "");
  await told();
  expect(await gone()).toEqual([]);
});

test("messages about changes and the deletion, in any order and number, end the same", async () => {
  const { store, told, gone } = await start();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.subarray(VARIANTS), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (states, late) => {
        for (const sold of states) {
          store.variants = new Set(sold);
          await told();
        }
        // The product was deleted; its messages and older ones come one after the other, and together.
        store.variants = new Set();
        await Promise.all(Array.from({ length: late }, told));
        expect((await gone()).toSorted()).toEqual(VARIANTS);
      },
    ),
    { numRuns: 10 },
  );
});

test("products that are not mapped, and shops that have left, cost the store no call", async () => {
  const { shop, store, told } = await start();
  const ports = { tenancy: db.tenancy, clock: movableClock(), ...store };
  const other = { shop, productId: gid("Product", 2) };
  expect(await reconcileProduct(ports, other)).toEqual({ kind: "not_mapped" });
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(new Date()));
  expect(await told()).toEqual({ kind: "not_installed" });
  expect(store.calls).toEqual([]);
});
