/** Long because one desk is gone through: states, paging, runs, files and publishing over the same products. */
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop } from "../../../../test/database/seed.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createLogger } from "../../../platform/logger.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { workBatch } from "../../kernel/work-batch.ts";
import { exportMappings } from "../export-mappings.ts";
import { planImport } from "../plan-import.ts";
import { publishAll, publishProduct } from "../publish-details.ts";
import { findRun, readRun } from "../read-run.ts";
import { freshenStore, readStorePage, rereadProduct } from "../read-store.ts";
import { saveMapping } from "../save-mapping.ts";
import { startRun } from "../start-run.ts";
import type { StoreProducts, StoreVariant } from "../store-products.ts";
import { applyRun, cancelRun, mappingChanges } from "../work-run.ts";

const db = await openTestDatabase();
const environment = "staging" as const;

/** A store with products that the test may change, and a record of what was written to their pages. */
function smallStore(products: StoreVariant[]) {
  const written: [string, string | null][] = [];
  const state = { products, written, refuses: false, isDown: false, pageSize: 100 };
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

function variant(number: number, fields: Partial<StoreVariant> = {}): StoreVariant {
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

const CATALOGUE = {
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
const ITEMS = { bundleId: "check", tests: [], medicareTests: [], practitioner: null };
const DOCTOR = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };

async function shopWith(products: StoreVariant[]) {
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

const page = (ports: Ports, shop: ShopDomain, filter: object = {}) =>
  ports.tenancy.inShop(shop, async (tenant) => {
    const catalogue = await tenant.catalogues.find(environment);
    const whole = { environment, catalogue, state: null, search: "", ...filter };
    const counts = await tenant.storeVariants.counts(whole);
    return { ...(await tenant.storeVariants.page(whole, null, 1_000)), counts };
  });
const states = async (ports: Ports, shop: ShopDomain) =>
  Object.fromEntries(
    (await page(ports, shop)).variants.map((one) => [one.productTitle, one.state]),
  );
const map = (ports: Ports, shop: ShopDomain, number: number, items = ITEMS as object) =>
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
const notes = (ports: Ports, shop: ShopDomain, number: number) =>
  ports.tenancy.inShop(shop, async (tenant) => {
    const id = gid("ProductVariant", number);
    const mapping = (await tenant.mappings.list(environment, [id])).get(id);
    return mapping?.kind === "order" ? mapping.clinicalNotes : undefined;
  });
/** Gives a mapped variant notes. */
const giveNotes = (ports: Ports, shop: ShopDomain, number: number, clinicalNotes: string) =>
  ports.tenancy.inShop(shop, async (tenant) => {
    const id = gid("ProductVariant", number);
    const mapping = (await tenant.mappings.list(environment, [id])).get(id);
    if (mapping?.kind === "order") await tenant.mappings.save({ ...mapping, clinicalNotes });
  });
const find = (ports: Ports, shop: ShopDomain, runId: string) => findRun(ports, { shop, runId });
const workRun = (ports: Ports, { shop, runId }: { shop: ShopDomain; runId: string }) =>
  workBatch(ports, { shop, batchId: runId }, { mapping_change: mappingChanges });
const jobs = async (shop: ShopDomain, name: string) =>
  db.prisma.outboxJob.count({ where: { shop, name } });
const text = async (ports: Ports, shop: ShopDomain) => {
  let all = "";
  for await (const piece of exportMappings(ports, { shop, environment })) all += piece;
  return all;
};
const plan = async (ports: Ports, shop: ShopDomain, content: string | Uint8Array) => {
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

test("a variant is unmapped, mapped, ignored or broken, and counted as such", async () => {
  const { shop, ports } = await shopWith([1, 2, 3, 4, 5, 6].map((n) => variant(n)));
  await freshenStore(ports, shop);
  await map(ports, shop, 1);
  await map(ports, shop, 2, { bundleId: null, tests: ["tsh"] });
  await map(ports, shop, 5, { bundleId: null, medicareTests: ["fbc"], practitioner: DOCTOR });
  await map(ports, shop, 6);
  await ports.tenancy.inShop(shop, async (tenant) => {
    await tenant.mappings.save({
      environment,
      variantId: gid("ProductVariant", 3),
      productId: gid("Product", 3),
      kind: "ignored",
    });
    await tenant.catalogues.save({ ...CATALOGUE, tests: CATALOGUE.tests.slice(0, 1) });
    await tenant.practitioners.recordVerdict(
      DOCTOR.providerNumber,
      "MISSING_PROVIDER_SIGNATURE",
      new Date(),
    );
    await tenant.storeVariants.dropOthers(gid("Product", 6), [], new Date(Date.now() + 60_000));
  });
  expect(await states(ports, shop)).toEqual({
    "Product 0001": "mapped",
    "Product 0002": "broken",
    "Product 0003": "ignored",
    "Product 0004": "unmapped",
    "Product 0005": "broken",
    "Product 0006": "broken",
  });
  const { counts } = await page(ports, shop);
  expect(counts).toEqual({ mapped: 1, unmapped: 1, ignored: 1, broken: 3 });
  const searched = await page(ports, shop, { search: "sku-2 PRODUCT" });
  expect(searched.variants.map((one) => one.id)).toEqual([gid("ProductVariant", 2)]);
  expect((await page(ports, shop, { search: "%" })).variants).toEqual([]);
});

test("pages go forwards and back without losing or repeating a variant", async () => {
  const { shop, ports } = await shopWith(
    Array.from({ length: 25 }, (_, index) => variant(index + 1, { productTitle: "Same title" })),
  );
  await freshenStore(ports, shop);
  await ports.tenancy.inShop(shop, async (tenant) => {
    const filter = { environment, catalogue: null, state: "unmapped" as const, search: "" };
    const seen: string[] = [];
    let place: Parameters<typeof tenant.storeVariants.page>[1] = null;
    let last = await tenant.storeVariants.page(filter, place, 10);
    for (;;) {
      seen.push(...last.variants.map((one) => one.id));
      const after = last.variants.at(-1)?.id;
      if (!last.hasNext || !after) break;
      place = { after };
      last = await tenant.storeVariants.page(filter, place, 10);
    }
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
    const before = last.variants[0]?.id;
    const back = await tenant.storeVariants.page(filter, before ? { before } : null, 10);
    expect(back.variants.map((one) => one.id)).toEqual(seen.slice(10, 20));
    expect(back).toMatchObject({ hasNext: true, hasPrevious: true });
  });
});

test("the first pass goes on page by page, survives a silent store, and finds what has gone", async () => {
  const { shop, store, ports } = await shopWith([1, 2, 3, 4, 5].map((n) => variant(n)));
  store.pageSize = 2;
  expect(await freshenStore(ports, shop)).toEqual({ kind: "reading" });
  expect(await jobs(shop, "read-store")).toBe(1);
  expect(await readStorePage(ports, { shop })).toBe("read");
  store.isDown = true;
  await expect(readStorePage(ports, { shop })).rejects.toThrow("down");
  expect((await freshenStore(ports, shop)).kind).toBe("stale");
  store.isDown = false;
  expect(await readStorePage(ports, { shop })).toBe("complete");
  expect((await page(ports, shop)).counts.unmapped).toBe(5);
  expect(await readStorePage(ports, { shop })).toBe("nothing_to_do");
});

test("a product is read again whole: new titles, variants that came and went, and a deleted one", async () => {
  const product = gid("Product", 1);
  const { shop, store, ports } = await shopWith([
    variant(1),
    variant(11, { productId: product, variantTitle: "B" }),
  ]);
  await freshenStore(ports, shop);
  store.products = [
    variant(1, { productTitle: "New" }),
    variant(12, { productId: product, variantTitle: "C" }),
  ];
  await rereadProduct(ports, { shop, productId: product });
  const { variants } = await page(ports, shop);
  expect(variants.map((one) => [one.productTitle, one.variantTitle])).toEqual([
    ["New", null],
    ["Product 0012", "C"],
  ]);
  await map(ports, shop, 1);
  store.products = [];
  await rereadProduct(ports, { shop, productId: product });
  expect(await states(ports, shop)).toEqual({ New: "broken" });
});

test("keeps a newer reading when an older one comes late", async () => {
  const { shop, ports } = await shopWith([]);
  await ports.tenancy.inShop(shop, async (tenant) => {
    await tenant.storeVariants.put([variant(1, { productTitle: "New" })], new Date(2_000));
    await tenant.storeVariants.put([variant(1, { productTitle: "Old" })], new Date(1_000));
    await tenant.storeVariants.dropOthers(gid("Product", 1), [], new Date(1_500));
  });
  expect(await states(ports, shop)).toEqual({ New: "unmapped" });
});

test("an unmapped duplicate is told by its SKU or its titles", async () => {
  const { shop, ports } = await shopWith([
    variant(1, { productTitle: "Iron Studies", sku: "FE" }),
    variant(2, { productTitle: "Copy of Iron Studies", sku: null }),
    variant(3, { productTitle: "Another", sku: "FE" }),
    variant(4, { productTitle: "Iron", sku: null }),
  ]);
  await freshenStore(ports, shop);
  await map(ports, shop, 1);
  await ports.tenancy.inShop(shop, async (tenant) => {
    const ids = [1, 2, 3, 4].map((n) => gid("ProductVariant", n));
    const copies = await tenant.storeVariants.copiedVariants(environment, ids);
    expect([...copies.keys()].sort()).toEqual([ids[1], ids[2]]);
    expect(copies.get(ids[2] ?? gid("ProductVariant", 0))).toMatchObject({
      title: "Iron Studies",
      mapping: { items: { bundleId: "check" } },
    });
    expect(await tenant.storeVariants.countCopies(environment)).toBe(2);
  });
});

test("a run over all that match maps each once, goes on after a death, and says what became of each", async () => {
  const { shop, ports } = await shopWith(
    Array.from({ length: 30 }, (_, index) => variant(index + 1)),
  );
  await freshenStore(ports, shop);
  await map(ports, shop, 7);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: null, search: "product" } },
    wish: { kind: "map", change: { kind: "order", items: ITEMS } },
  });
  if (started.kind !== "started") throw new Error(started.kind);
  const { runId } = started;
  expect((await find(ports, shop, runId))?.counts).toEqual({
    total: 30,
    waiting: 29,
    done: 0,
    nothing_to_do: 1,
    refused: 0,
    failed: 0,
  });
  const again = {
    shop,
    actor: "staff:1" as const,
    environment,
    scope: { kind: "chosen" as const, ids: [gid("ProductVariant", 1)] },
    wish: { kind: "ignore" as const },
  };
  expect(await startRun(ports, again)).toEqual({ kind: "busy" });
  // A worker that dies in a row leaves nothing of that row.
  await expect(
    ports.tenancy.inShop(shop, async (tenant) => {
      const item = await tenant.batches.takeDue(runId);
      await tenant.batches.settle(runId, item?.position ?? 0, { outcome: "done" });
      throw new Error("killed");
    }),
  ).rejects.toThrow("killed");
  // Two workers at once, as after a job was given to another.
  await Promise.all([workRun(ports, { shop, runId }), workRun(ports, { shop, runId })]);
  await workRun(ports, { shop, runId });
  expect(await find(ports, shop, runId)).toMatchObject({
    state: "done",
    counts: { waiting: 0, done: 29, nothing_to_do: 1, refused: 0 },
  });
  expect((await page(ports, shop)).counts.mapped).toBe(30);
});

test("a cancelled run leaves the rest as it was, and cannot be gone on with", async () => {
  const { shop, ports } = await shopWith([variant(1), variant(2)]);
  await freshenStore(ports, shop);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: "unmapped", search: "" } },
    wish: { kind: "ignore" },
  });
  const runId = started.kind === "started" ? started.runId : "";
  expect(await cancelRun(ports, { shop, runId })).toBe("moved");
  expect(await workRun(ports, { shop, runId })).toBe("ended");
  expect(await cancelRun(ports, { shop, runId })).toBe("not_possible");
  expect((await page(ports, shop)).counts.unmapped).toBe(2);
});

test("accepting suggestions takes the clear ones only, of unmapped variants only", async () => {
  const { shop, ports } = await shopWith([
    variant(1, { productTitle: "Health Check", sku: null }),
    variant(2, { productTitle: "Something else", sku: null }),
    variant(3, { productTitle: "TSH test", sku: null }),
  ]);
  await freshenStore(ports, shop);
  await map(ports, shop, 3);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "chosen", ids: [1, 2, 3].map((n) => gid("ProductVariant", n)) },
    wish: { kind: "suggest" },
  });
  expect(started).toMatchObject({ kind: "started", rows: 1 });
  await workRun(ports, { shop, runId: started.kind === "started" ? started.runId : "" });
  const { variants } = await page(ports, shop, { state: "mapped" });
  expect(
    variants.map((one) => one.mapping?.kind === "order" && one.mapping.items.bundleId),
  ).toEqual(["check", "check"]);
});

test("accepting suggestions leaves out what costs more than its price, and says so", async () => {
  const { shop, ports } = await shopWith([
    variant(1, { productTitle: "TSH test", sku: null, priceCents: 100 }),
    variant(2, { productTitle: "Health check", sku: null }),
  ]);
  await freshenStore(ports, shop);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: "unmapped", search: "" } },
    wish: { kind: "suggest" },
  });
  expect(started).toMatchObject({ kind: "started", rows: 1, leftOut: 1 });
  const runId = started.kind === "started" ? started.runId : "";
  await workRun(ports, { shop, runId });
  const { variants } = await page(ports, shop, { state: "mapped" });
  expect(variants.map((one) => one.productTitle)).toEqual(["Health check"]);
  const report = await readRun(ports, { shop, runId, after: 0, outcome: "refused" });
  expect(report?.rows.map(({ label, message }) => [label, message])).toEqual([
    ["TSH test", expect.stringMatching(/^It costs \$[\d.]+, more than its price of \$1\.00\./)],
  ]);
});

test("imports its own export without a change, formulas and all", async () => {
  const { shop, ports } = await shopWith([
    variant(1, { productTitle: '=HYPERLINK("x")', sku: "-1" }),
    variant(2, { productTitle: 'A "quoted", name; with\nlines', variantTitle: "+B" }),
    variant(3),
    variant(4),
  ]);
  await freshenStore(ports, shop);
  await map(ports, shop, 1, { tests: ["tsh"] });
  await map(ports, shop, 2, {
    bundleId: null,
    tests: ["fbc", "tsh"],
    medicareTests: ["fbc"],
    practitioner: DOCTOR,
  });
  await giveNotes(ports, shop, 2, '=Fasting;\r\n"8 hours"');
  await ports.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({
      environment,
      variantId: gid("ProductVariant", 3),
      productId: gid("Product", 3),
      kind: "ignored",
    }),
  );
  const file = await text(ports, shop);
  expect(file).toContain("'=HYPERLINK");
  expect(file).toContain("Full blood count | TSH");
  for (const content of [
    file,
    file.replace("\ufeff", ""),
    Buffer.from(`\ufeff${file}`, "utf16le"),
  ]) {
    const { rows } = await plan(ports, shop, content);
    expect(rows.map((row) => row.outcome)).toEqual([
      "nothing_to_do",
      "nothing_to_do",
      "nothing_to_do",
      "nothing_to_do",
    ]);
  }
});

test("each line says what it would change, or what is wrong with it and where", async () => {
  const { shop, ports } = await shopWith([
    variant(1),
    variant(2),
    variant(3, { sku: "TWIN" }),
    variant(4, { sku: "TWIN" }),
    variant(5),
    variant(6),
  ]);
  await freshenStore(ports, shop);
  await map(ports, shop, 5);
  const { runId, rows } = await plan(
    ports,
    shop,
    [
      "SKU;Variant ID;kind;bundle;tests;medicare_tests;practitioner_provider_number",
      ";gid://shopify/ProductVariant/1;;health CHECK;tsh;;",
      "SKU-2;;;nothing like it;;;",
      "TWIN;;test;check;;;",
      "NOPE;;test;check;;;",
      ";999;test;check;;;",
      ";1.23E+12;test;check;;;",
      ";5;unmapped;;;;",
      ";6;;;;FBC;2426621B",
      ";2;maybe;;;;",
      ";6;;;;;",
    ].join("\r\n"),
  );
  expect(rows.map(({ line, outcome, field }) => [line, outcome, field])).toEqual([
    [2, null, null],
    [3, "refused", "sku"],
    [4, "refused", "sku"],
    [5, "refused", "sku"],
    [6, "refused", "variant_id"],
    [7, "refused", "variant_id"],
    [8, null, null],
    [9, "refused", "variant_id"],
    [10, "refused", "variant_id"],
    [11, "refused", "variant_id"],
  ]);
  expect(rows[1]?.message).toContain("Line 10");
  expect(rows[8]?.message).toContain("Line 3");
  expect(await jobs(shop, "work-batch")).toBe(0);
  expect((await page(ports, shop)).counts.mapped).toBe(1);
  expect(await applyRun(ports, { shop, runId })).toBe("moved");
  expect(await workRun(ports, { shop, runId })).toBe("done");
  const { variants } = await page(ports, shop, { state: "mapped" });
  expect(variants).toMatchObject([
    { id: gid("ProductVariant", 1), mapping: { items: { bundleId: "check", tests: ["tsh"] } } },
  ]);
  expect((await page(ports, shop)).counts.unmapped).toBe(5);
});

test("preparation comes and goes with its column, for any test, and is never part of the report", async () => {
  const { ports, shop } = await shopWith([1, 2, 3, 4, 5].map((number) => variant(number)));
  await freshenStore(ports, shop);
  const preparation = (number: number) =>
    ports.tenancy.inShop(shop, async (tenant) => {
      const id = gid("ProductVariant", number);
      const mapping = (await tenant.mappings.list(environment, [id])).get(id);
      return mapping?.kind === "order" ? mapping.preparation : undefined;
    });
  const work = async (file: string) => {
    const { runId, rows } = await plan(ports, shop, file);
    await applyRun(ports, { shop, runId });
    await workRun(ports, { shop, runId });
    return { runId, rows };
  };
  const { runId, rows } = await work(
    [
      "variant_id,kind,tests,preparation",
      "1,test,FBC,Morning sample",
      `2,test,TSH,${"x".repeat(1_001)}`,
      "3,,,Fasting",
      "4,not a test,,Fasting",
      '5,test,TSH,"Fast for 8 hours\r\nWater is fine"',
    ].join("\n"),
  );
  expect(rows.map(({ outcome, field }) => [outcome, field])).toEqual([
    [null, null],
    ["refused", "preparation"],
    ["refused", "preparation"],
    ["refused", "preparation"],
    [null, null],
  ]);
  expect(rows[0]?.becomes).toBe("Full blood count; new preparation");
  const stored = await db.pool.query<{ text: string }>(
    "SELECT i::text AS text FROM batch_items i WHERE shop = $1 AND batch_id = $2",
    [shop, runId],
  );
  const kept = stored.rows.map(({ text }) => text).join("\n");
  expect(kept).not.toContain("Morning");
  expect(kept).not.toContain(Buffer.from("Morning").toString("hex"));
  expect(await preparation(1)).toBe("Morning sample");

  // An exported file changes nothing when it comes back; without the column, notes stay.
  const exported = await text(ports, shop);
  expect(exported).toContain("Morning sample");
  const again = await plan(ports, shop, exported);
  expect(again.rows.filter(({ outcome }) => outcome !== "nothing_to_do")).toEqual([]);
  await work("variant_id,kind,tests\n1,test,TSH");
  expect(await preparation(1)).toBe("Morning sample");
  await work("variant_id,kind,tests,preparation\n1,test,TSH,");
  expect(await preparation(1)).toBeNull();
});

test("notes come and go with their column, wait sealed, and are never part of the report", async () => {
  const { shop, ports } = await shopWith([1, 2, 3, 4, 5, 6].map((number) => variant(number)));
  await freshenStore(ports, shop);
  const medicare = { bundleId: null, medicareTests: ["fbc"], practitioner: DOCTOR };
  for (const number of [1, 2, 3]) {
    await map(ports, shop, number, medicare);
    await giveNotes(ports, shop, number, "Fasting");
  }
  const head = "variant_id,medicare_tests,practitioner_provider_number";
  const without = await plan(ports, shop, `${head}\n1,FBC,2426621B\n2,TSH,2426621B`);
  expect(without.rows.map((row) => row.outcome)).toEqual(["nothing_to_do", null]);
  await applyRun(ports, { shop, runId: without.runId });
  expect(await workRun(ports, { shop, runId: without.runId })).toBe("done");
  expect(await notes(ports, shop, 2)).toBe("Fasting");

  const { runId, rows } = await plan(
    ports,
    shop,
    [
      `${head},Clinical Notes`,
      "1,FBC,2426621B,Fasting",
      "2,TSH,2426621B,Morning sample",
      "3,FBC,2426621B,",
      `4,FBC,2426621B,${"x".repeat(1_001)}`,
      "5,,,Fasting",
      `6,FBC,2426621B,${"y".repeat(1_000)}`,
    ].join("\n"),
  );
  expect(rows.map(({ outcome, field }) => [outcome, field])).toEqual([
    ["nothing_to_do", null],
    [null, null],
    [null, null],
    ["refused", "clinical_notes"],
    ["refused", "clinical_notes"],
    [null, null],
  ]);
  expect(rows[1]?.becomes).toBe("Medicare: TSH (2426621B); new clinical notes");
  expect(rows[2]?.becomes).toContain("; without clinical notes");
  expect(rows[3]?.message).toContain("1,001 characters");
  const stored = await db.pool.query<{ text: string }>(
    "SELECT i::text AS text FROM batch_items i WHERE shop = $1 AND batch_id = $2",
    [shop, runId],
  );
  const kept = stored.rows.map(({ text }) => text).join("\n");
  expect(kept).not.toContain("Morning");
  expect(kept).not.toContain(Buffer.from("Morning").toString("hex"));
  await applyRun(ports, { shop, runId });
  expect(await workRun(ports, { shop, runId })).toBe("done");
  const after = await Promise.all([1, 2, 3, 4, 6].map((number) => notes(ports, shop, number)));
  expect(after).toEqual(["Fasting", "Morning sample", null, undefined, "y".repeat(1_000)]);
});

test("a page is written when the mapping changes, not again, and emptied when it is taken back", async () => {
  const { shop, store, ports } = await shopWith([variant(1)]);
  await freshenStore(ports, shop);
  const productId = gid("Product", 1);
  expect(await publishProduct(ports, { shop, productId })).toBe("same");
  await map(ports, shop, 1, { tests: ["tsh"] });
  expect(await jobs(shop, "publish-product")).toBe(1);
  store.refuses = true;
  expect(await publishProduct(ports, { shop, productId })).toBe("refused");
  store.refuses = false;
  await publishAll(ports, shop);
  expect(await jobs(shop, "publish-product")).toBe(2);
  expect(await publishProduct(ports, { shop, productId })).toBe("published");
  expect(await publishProduct(ports, { shop, productId })).toBe("same");
  await ports.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.remove({ environment, productId, variantId: gid("ProductVariant", 1) }),
  );
  expect(await publishProduct(ports, { shop, productId })).toBe("published");
  expect(store.written.map(([, details]) => details && JSON.parse(details))).toEqual([
    { name: "Health check", testCount: 2, tests: ["Full blood count", "TSH"], turnaroundDays: 4 },
    null,
  ]);
});
