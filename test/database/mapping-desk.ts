import { exportMappings } from "../../app/modules/catalogue/export-mappings.ts";
import { planImport } from "../../app/modules/catalogue/plan-import.ts";
import { findRun, readRun } from "../../app/modules/catalogue/read-run.ts";
import { saveMapping } from "../../app/modules/catalogue/save-mapping.ts";
import type { StoreProducts, StoreVariant } from "../../app/modules/catalogue/store-products.ts";
import { mappingChanges } from "../../app/modules/catalogue/work-run.ts";
import { gid, type ShopDomain } from "../../app/modules/kernel/ids.ts";
import { workBatch } from "../../app/modules/kernel/work-batch.ts";
import { systemClock } from "../../app/platform/clock.ts";
import { createLogger } from "../../app/platform/logger.ts";
import type { TestDatabase } from "./database.ts";
import { installedShop } from "./seed.ts";

export const environment = "staging" as const;

/** A store with products that the test may change, and a record of what was written to their pages. */
function smallStore(products: StoreVariant[]) {
  const written: [string, string | null][] = [];
  const state = { products, written, refuses: false, isDown: false, pageSize: 100, storeId: "1" };
  const port: StoreProducts = {
    async variants(_shop, { after, condition }) {
      if (state.isDown) throw Object.assign(new Error("down"), { code: "store_unreachable" });
      const matching = state.products.filter(
        (one) =>
          (condition.kind !== "product" || one.productId === condition.productId) &&
          (condition.kind !== "variants" || condition.variantIds.includes(one.id)),
      );
      const from = Number(after ?? 0);
      const to = from + state.pageSize;
      return {
        variants: matching.slice(from, to),
        storeId: state.storeId,
        next: to < matching.length ? String(to) : null,
      };
    },
    async publish(_shop, productId, details) {
      if (state.refuses) return { kind: "refused", code: "ACCESS_DENIED" };
      written.push([productId, details]);
      return { kind: "published" };
    },
  };
  return Object.assign(state, { port });
}

/** A variant of a product of its own. */
export function variant(number: number, fields: Partial<StoreVariant> = {}): StoreVariant {
  return {
    id: gid("ProductVariant", number),
    productId: gid("Product", number),
    productTitle: `Product ${String(number).padStart(4, "0")}`,
    variantTitle: null,
    sku: `SKU-${number}`,
    priceCents: 5_000,
    productStatus: "active",
    ...fields,
  };
}

export const CATALOGUE = {
  environment,
  tests: [
    {
      id: "fbc",
      name: "Full blood count",
      shortName: "FBC",
      priceCents: 2_000,
      turnaround: { minimumDays: 1, maximumDays: 2 },
    },
    {
      id: "tsh",
      name: "TSH",
      shortName: "TSH",
      priceCents: 3_000,
      turnaround: { minimumDays: 1, maximumDays: 4 },
    },
  ],
  bundles: [
    { id: "check", name: "Health check", tests: [{ id: "fbc", name: "Full blood count" }] },
  ],
  fetchedAt: new Date("2026-11-20T00:00:00Z"),
};
export const ITEMS = { bundleId: "check", tests: [], medicareTests: [], practitioner: null };
export const DOCTOR = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };

/** An installed shop with the catalogue, and a store with these products. */
export async function shopWith(db: TestDatabase, products: StoreVariant[]) {
  const { tenancy } = db;
  const shop = await installedShop(db);
  await tenancy.inShop(shop, (tenant) => tenant.catalogues.save(CATALOGUE));
  const store = smallStore(products);
  const ports = {
    tenancy,
    storeProducts: store.port,
    clock: systemClock,
    logger: createLogger("silent"),
  };
  return { shop, store, ports };
}
type Ports = Awaited<ReturnType<typeof shopWith>>["ports"];

export const page = (ports: Ports, shop: ShopDomain, filter: object = {}) =>
  ports.tenancy.inShop(shop, async (tenant) => {
    const catalogue = await tenant.catalogues.find(environment);
    const whole = { environment, catalogue, state: null, search: "", ...filter };
    const counts = await tenant.storeVariants.counts(whole);
    return { ...(await tenant.storeVariants.page(whole, null, 1_000)), counts };
  });
export const states = async (ports: Ports, shop: ShopDomain) =>
  Object.fromEntries(
    (await page(ports, shop)).variants.map((one) => [one.productTitle, one.state]),
  );
export const map = (ports: Ports, shop: ShopDomain, number: number, items = ITEMS as object) =>
  saveMapping(ports, {
    shop,
    actor: "staff:1",
    mapping: {
      environment,
      variantId: gid("ProductVariant", number),
      productId: gid("Product", number),
      kind: "order",
      items: { ...ITEMS, ...items },
    },
  });
/** Reads the practitioner's notes for a variant's Medicare forms; undefined without a mapping. */
export const notes = (ports: Ports, shop: ShopDomain, number: number) =>
  ports.tenancy.inShop(shop, async (tenant) => {
    const id = gid("ProductVariant", number);
    const mapping = (await tenant.mappings.list(environment, [id])).get(id);
    return mapping?.kind === "order" ? mapping.clinicalNotes : undefined;
  });
/** Gives a mapped variant notes. */
export const giveNotes = (ports: Ports, shop: ShopDomain, number: number, clinicalNotes: string) =>
  ports.tenancy.inShop(shop, async (tenant) => {
    const id = gid("ProductVariant", number);
    const mapping = (await tenant.mappings.list(environment, [id])).get(id);
    if (mapping?.kind === "order") await tenant.mappings.save({ ...mapping, clinicalNotes });
  });
export const find = (ports: Ports, shop: ShopDomain, runId: string) =>
  findRun(ports, { shop, runId });
export const workRun = (ports: Ports, { shop, runId }: { shop: ShopDomain; runId: string }) =>
  workBatch(ports, { shop, batchId: runId }, { mapping_change: mappingChanges });
/** How many jobs of a kind wait for a shop. */
export const jobs = async (db: TestDatabase, shop: ShopDomain, name: string) =>
  (await db.pool.query("SELECT FROM outbox WHERE shop = $1 AND name = $2", [shop, name])).rowCount;
export const text = async (ports: Ports, shop: ShopDomain) => {
  let all = "";
  for await (const piece of exportMappings(ports, { shop, environment })) all += piece;
  return all;
};
export const plan = async (ports: Ports, shop: ShopDomain, content: string | Uint8Array) => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const outcome = await planImport(ports, {
    shop,
    actor: "staff:1",
    environment,
    name: "m.csv",
    bytes,
  });
  if (outcome.kind !== "planned") throw new Error(outcome.message);
  const { runId } = outcome;
  return { runId, rows: (await readRun(ports, { shop, runId, after: 0 }))?.rows ?? [] };
};
