import { beforeEach, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop } from "../../../../test/database/seed.ts";
import { createLogger } from "../../../platform/logger.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { workBatch } from "../../kernel/work-batch.ts";
import { planCopy } from "../copy-mappings.ts";
import { readRun } from "../read-run.ts";
import { applyRun, mappingChanges } from "../work-run.ts";

const db = await openTestDatabase();
const ports = { tenancy: db.tenancy, clock: { now: () => START }, logger: createLogger("silent") };
const fromTo = { from: "staging", to: "production" } as const;
const variantOf = (number: number) => gid("ProductVariant", number);
let shop: ShopDomain;

const blood = (id: string, name: string) => ({
  ...{ id, name, shortName: id, priceCents: 1, turnaround: null },
});
const order = (...tests: string[]) => ({
  kind: "order" as const,
  items: { bundleId: null, tests, medicareTests: [], practitioner: null },
});

beforeEach(async () => {
  shop = await installedShop(db);
  await db.tenancy.inShop(shop, async (tenant) => {
    const common = { bundles: [], fetchedAt: START };
    await tenant.catalogues.save({
      ...{ environment: "staging", ...common },
      tests: [blood("fbc", "Full blood count"), blood("tsh-s", "TSH"), blood("odd", "Odd test")],
    });
    await tenant.catalogues.save({
      ...{ environment: "production", ...common },
      tests: [blood("fbc", "Full blood count"), blood("tsh-p", "TSH")],
    });
    const variants = [1, 2, 3, 4].map((number) => ({
      ...{ id: variantOf(number), productId: gid("Product", number), variantTitle: null },
      ...{ productTitle: `Product ${number}`, sku: null, priceCents: 100 },
      productStatus: "active" as const,
    }));
    await tenant.storeVariants.put(variants, await tenant.storeVariants.beginReading());
    for (const [number, tests] of [["fbc"], ["tsh-s"], ["odd", "fbc"], ["fbc"]].entries())
      await map(number + 1, "staging", ...tests);
    await map(4, "production", "tsh-p");
  });
});

async function map(number: number, environment: "staging" | "production", ...tests: string[]) {
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({
      ...{ environment, variantId: variantOf(number), productId: gid("Product", number) },
      ...order(...tests),
    }),
  );
}

async function plan() {
  const outcome = await planCopy(ports, { shop, actor: "staff:1", ...fromTo });
  if (outcome.kind !== "planned") throw new Error("nothing to copy");
  return outcome.runId;
}

async function apply(runId: string) {
  expect(await applyRun(ports, { shop, runId })).toBe("moved");
  await workBatch(ports, { shop, batchId: runId }, { mapping_change: mappingChanges });
}

async function production() {
  const { rows } = await db.pool.query(
    "SELECT variant_id, tests FROM mappings WHERE shop = $1 AND environment = 'production' ORDER BY 1",
    [shop],
  );
  return rows.map(({ variant_id, tests }) => [variant_id.split("/").at(-1), tests]);
}

test("copies by id, then by name; what the other catalogue lacks is listed, and nothing is overwritten", async () => {
  const runId = await plan();
  const report = await readRun(ports, { shop, runId, after: 0 });
  expect(report?.rows.map(({ label, outcome, message }) => [label, outcome, message])).toEqual([
    ["Product 1", null, null],
    ["Product 2", null, null],
    ["Product 3", "refused", expect.stringContaining("Odd test")],
  ]);
  // Only looked at so far.
  expect(await production()).toEqual([["4", ["tsh-p"]]]);
  await apply(runId);
  expect(await production()).toEqual([
    ["1", ["fbc"]],
    ["2", ["tsh-p"]],
    ["4", ["tsh-p"]],
  ]);
});

test("what somebody mapped between the look and the click stays as they mapped it", async () => {
  const runId = await plan();
  await map(1, "production", "tsh-p");
  await apply(runId);
  expect(await production()).toContainEqual(["1", ["tsh-p"]]);
});

test("there is nothing to copy twice", async () => {
  await apply(await plan());
  await db.pool.query(
    "DELETE FROM mappings WHERE shop = $1 AND environment = 'staging' AND variant_id = $2",
    [shop, variantOf(3)],
  );
  expect(await planCopy(ports, { shop, actor: "staff:1", ...fromTo })).toEqual({ kind: "nothing" });
});

test("takes another test of the same id for none: each environment numbers its tests by itself", async () => {
  await db.tenancy.inShop(shop, async (tenant) => {
    const catalogue = (tests: ReturnType<typeof blood>[]) => ({
      bundles: [],
      fetchedAt: START,
      tests,
    });
    await tenant.catalogues.save({
      environment: "staging",
      ...catalogue([
        blood("fbc", "Full blood count"),
        blood("1", "Iron studies"),
        blood("2", "HIV"),
      ]),
    });
    await tenant.catalogues.save({
      environment: "production",
      ...catalogue([
        blood("fbc", "Full blood count "),
        blood("2", "Iron studies"),
        blood("1", "HbA1c"),
      ]),
    });
  });
  await map(2, "staging", "1");
  await map(3, "staging", "2");
  const runId = await plan();
  const report = await readRun(ports, { shop, runId, after: 0 });
  expect(report?.rows.map(({ label, becomes, message }) => [label, becomes, message])).toEqual([
    ["Product 1", "Full blood count ", null],
    ["Product 2", "Iron studies", null],
    ["Product 3", "", expect.stringContaining("HIV")],
  ]);
  await apply(runId);
  expect(await production()).toContainEqual(["2", ["2"]]);
});

test("copies what is no test as well, and leaves what the other environment calls otherwise", async () => {
  await apply(await plan());
  await db.tenancy.inShop(shop, async (tenant) => {
    const variants = [5, 6].map((number) => ({
      ...{ id: variantOf(number), productId: gid("Product", 5), variantTitle: `${number}` },
      ...{ productTitle: "Tote bag", sku: null, priceCents: 100, productStatus: "active" },
    }));
    await tenant.storeVariants.put(variants, await tenant.storeVariants.beginReading());
    const ignored = { environment: "staging", kind: "ignored" } as const;
    await tenant.mappings.save({ ...ignored, variantId: null, productId: gid("Product", 5) });
    const own = { variantId: variantOf(4), productId: gid("Product", 4) };
    await tenant.mappings.save({ ...ignored, ...own });
  });
  const runId = await plan();
  const report = await readRun(ports, { shop, runId, after: 0 });
  expect(report?.rows.map(({ label, becomes }) => [label, becomes])).toEqual([
    ["Product 3", ""],
    ["Tote bag – 5", "Not a test"],
    ["Tote bag – 6", "Not a test"],
  ]);
  await apply(runId);
  expect(await production()).toEqual([
    ...[
      ["1", ["fbc"]],
      ["2", ["tsh-p"]],
      ["4", ["tsh-p"]],
    ],
    ...[
      ["5", []],
      ["6", []],
    ],
  ]);
});

test("lists a variant that the store has no longer, and copies nothing of it", async () => {
  await map(5, "staging", "fbc");
  await db.pool.query(
    "UPDATE store_variants SET deleted_at = $3 WHERE shop = $1 AND variant_id = $2",
    [...[shop, variantOf(1), START]],
  );
  const runId = await plan();
  const report = await readRun(ports, { shop, runId, after: 0 });
  const gone = expect.stringContaining("Your store doesn’t have it any more");
  expect(report?.rows.map(({ label, outcome, message }) => [label, outcome, message])).toEqual(
    expect.arrayContaining([
      ["Product 1", "refused", gone],
      ["Variant 5", "refused", gone],
    ]),
  );
  await apply(runId);
  expect((await production()).map(([variant]) => variant)).toEqual(["2", "4"]);
});
