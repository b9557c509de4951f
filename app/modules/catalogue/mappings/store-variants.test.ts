import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import {
  CATALOGUE,
  DOCTOR,
  environment,
  jobs,
  map,
  page,
  shopWith,
  states,
  variant,
} from "../../../../test/database/mapping-desk.ts";
import { gid } from "../../kernel/ids.ts";
import { countBroken } from "../broken-mappings.ts";
import { publishProduct } from "../publish-details.ts";
import { freshenStore, readStorePage, rereadProduct } from "../read-store.ts";

const db = await openTestDatabase();

test("a variant is unmapped, mapped, ignored or broken, and counted as such", async () => {
  const { shop, ports } = await shopWith(
    db,
    [1, 2, 3, 4, 5, 6].map((n) => variant(n)),
  );
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
  // One of them can't be bought any more.
  const broken = () => ports.tenancy.inShop(shop, (tenant) => countBroken(tenant, environment));
  expect(await broken()).toBe(2);
  const status =
    "UPDATE store_variants SET product_status = 'draft' WHERE shop = $1 AND sku = 'SKU-2'";
  await db.pool.query(status, [shop]);
  expect(await broken()).toBe(1);
  const searched = await page(ports, shop, { search: "sku-2 PRODUCT" });
  expect(searched.variants.map((one) => one.id)).toEqual([gid("ProductVariant", 2)]);
  expect((await page(ports, shop, { search: "%" })).variants).toEqual([]);
});

test("a broken mapping of a whole product counts each variant that inherits it", async () => {
  const productId = gid("Product", 1);
  const { shop, ports } = await shopWith(
    db,
    [1, 2, 3].map((n) => variant(n, { productId })),
  );
  await freshenStore(ports, shop);
  const items = { bundleId: null, medicareTests: [], practitioner: null };
  const broken = await ports.tenancy.inShop(shop, async (tenant) => {
    const place = { environment, productId, kind: "order" } as const;
    await tenant.mappings.save({ ...place, variantId: null, items: { ...items, tests: ["gone"] } });
    const own = gid("ProductVariant", 2);
    await tenant.mappings.save({ ...place, variantId: own, items: { ...items, tests: ["fbc"] } });
    return countBroken(tenant, environment);
  });
  expect(broken).toBe(2);
});

test("pages go forwards and back without losing or repeating a variant", async () => {
  const { shop, ports } = await shopWith(
    db,
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
  const { shop, store, ports } = await shopWith(
    db,
    [1, 2, 3, 4, 5].map((n) => variant(n)),
  );
  store.pageSize = 2;
  expect(await freshenStore(ports, shop)).toEqual({ kind: "reading" });
  expect(await jobs(db, shop, "read-store")).toBe(1);
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
  const { shop, store, ports } = await shopWith(db, [
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
  const { shop, ports } = await shopWith(db, []);
  await ports.tenancy.inShop(shop, async (tenant) => {
    await tenant.storeVariants.put([variant(1, { productTitle: "New" })], new Date(2_000));
    await tenant.storeVariants.put([variant(1, { productTitle: "Old" })], new Date(1_000));
    await tenant.storeVariants.dropOthers(gid("Product", 1), [], new Date(1_500));
  });
  expect(await states(ports, shop)).toEqual({ New: "unmapped" });
});

test("an unmapped duplicate is told by its SKU or its titles", async () => {
  const { shop, ports } = await shopWith(db, [
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

test("lists everything of a store where somebody has priced a product out of all reason", async () => {
  const { shop, ports } = await shopWith(db, [
    variant(1, { priceCents: 9_999_999_999 }),
    variant(2),
  ]);
  await freshenStore(ports, shop);
  const { variants } = await page(ports, shop);
  expect(variants.map(({ priceCents }) => priceCents)).toEqual([2_147_483_647, 5_000]);
});

test("nothing that another store sells, or lacks, is taken for the shop's own", async () => {
  const product = gid("Product", 1);
  const { shop, store, ports } = await shopWith(db, [variant(1), variant(2)]);
  store.pageSize = 1;
  await freshenStore(ports, shop);
  await map(ports, shop, 1);
  expect(await publishProduct(ports, { shop, productId: product })).toBe("published");
  const copied = async () => {
    const rows = (table: string, columns: string) =>
      db.pool.query(`SELECT ${columns} FROM ${table} WHERE shop = $1 ORDER BY 1`, [shop]);
    return [
      (await rows("store_variants", "variant_id, product_title, deleted_at, read_at")).rows,
      (await rows("store_readings", "cursor, pass_started_at, completed_at")).rows,
      (await rows("published_details", "product_id, value, failure")).rows,
    ];
  };
  const before = await copied();
  const ownId = store.storeId;
  Object.assign(store, { storeId: "2", products: [variant(7)] });
  expect(await readStorePage(ports, { shop })).toBe("nothing_to_do");
  expect((await freshenStore(ports, shop)).kind).toBe("stale");
  expect(await rereadProduct(ports, { shop, productId: product })).toEqual({ variants: 0 });
  await map(ports, shop, 1, { tests: ["tsh"] });
  expect(await publishProduct(ports, { shop, productId: product })).toBe("other_store");
  expect(await copied()).toEqual(before);
  expect(store.written).toHaveLength(1);
  // Its own are read again once it has its name back.
  Object.assign(store, { storeId: ownId, products: [variant(1), variant(2), variant(3)] });
  while ((await readStorePage(ports, { shop })) === "read");
  expect((await page(ports, shop)).variants).toHaveLength(3);
  expect(await publishProduct(ports, { shop, productId: product })).toBe("published");
});
