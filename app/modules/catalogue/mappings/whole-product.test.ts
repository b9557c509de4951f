import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startLedger } from "../../../../test/database/ledger.ts";
import {
  installedShop,
  orderLine,
  PATIENT,
  readyRequest,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { systemClock } from "../../../platform/clock.ts";
import { gid, type ShopDomain, type VariantId } from "../../kernel/ids.ts";
import { reconcileOrder } from "../../orders/reconcile-order.ts";
import { createReferral } from "../../referrals/create-referral.ts";
import { retryIn } from "../../referrals/retry-request.ts";
import { exportMappings } from "../export-mappings.ts";
import { readPractitioners } from "../keep-practitioners.ts";
import type { NewMapping } from "../mapping.ts";
import { describeOtherwise } from "../mapping-words.ts";
import { planImport } from "../plan-import.ts";
import { readRun } from "../read-run.ts";
import { removeMapping, saveMapping } from "../save-mapping.ts";
import type { StoreVariant } from "../store-products.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const PRODUCT = gid("Product", 1);
const [A, B, LATER] = [1, 2, 3].map((number) => gid("ProductVariant", number)) as [
  VariantId,
  VariantId,
  VariantId,
];
const DOCTOR = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };
const items = (test: string) => ({
  ...{ bundleId: null, tests: [test], medicareTests: [], practitioner: null },
});
const MEDICARE = { ...items("fbc"), medicareTests: ["fbc"], practitioner: DOCTOR };

let shop: ShopDomain;
const ports = { tenancy: db.tenancy, clock: systemClock };

const variant = (id: VariantId, variantTitle: string): StoreVariant => ({
  id,
  productId: PRODUCT,
  productTitle: "Blood count",
  variantTitle,
  sku: `SKU-${variantTitle}`,
  priceCents: 5_000,
  productStatus: "active",
});
const put = (...variants: StoreVariant[]) =>
  db.tenancy.inShop(shop, async (tenant) =>
    tenant.storeVariants.put(variants, await tenant.storeVariants.beginReading()),
  );

beforeEach(async () => {
  shop = await installedShop(db);
  const test = (id: string) => ({ id, name: id, shortName: id, priceCents: 1, turnaround: null });
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.catalogues.save({
      environment,
      tests: ["fbc", "tsh", "iron"].map(test),
      bundles: [],
      fetchedAt: new Date(),
    }),
  );
  await put(variant(A, "A"), variant(B, "B"));
});

const save = (
  variantId: VariantId | null,
  meaning: Pick<NewMapping & { kind: "order" }, "items" | "clinicalNotes"> | "ignored",
  heir: VariantId | null = null,
) => {
  const place = { environment, productId: PRODUCT, variantId };
  const mapping: NewMapping =
    meaning === "ignored" ? { ...place, kind: "ignored" } : { ...place, kind: "order", ...meaning };
  return saveMapping(ports, { shop, actor: "staff:1", heir, mapping });
};
const remove = (variantId: VariantId | null) =>
  removeMapping(ports, { shop, actor: "staff:1", environment, productId: PRODUCT, variantId });

/** Title, state, tests and origin of each variant, as the page lists them. */
const listed = () =>
  db.tenancy.inShop(shop, async (tenant) => {
    const catalogue = await tenant.catalogues.find(environment);
    const filter = { environment, catalogue, state: null, search: "" };
    const { variants } = await tenant.storeVariants.page(filter, null, 10);
    return variants.map(({ variantTitle, state, mapping, isException }) => {
      const tests = mapping?.kind === "order" ? mapping.items.tests.join() : "";
      const origin = mapping?.variantId === null ? "inherited" : isException ? "exception" : "own";
      return `${variantTitle} ${state} ${tests} ${mapping ? origin : ""}`.trim();
    });
  });

const read = (line: ReturnType<typeof orderLine>) =>
  reconcileOrder(
    { ...ports, storeOrders: { read: async () => storeOrder({ lines: [line] }) } },
    { shop, orderId: gid("Order", 1001) },
  );
const requests = () =>
  db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(gid("Order", 1001)));
const reviewCode = async () => {
  const { rows } = await db.pool.query("SELECT review_code FROM orders WHERE shop = $1", [shop]);
  return rows[0]?.review_code;
};

test("a product's mapping is that of its variants, of later ones too, unless one says otherwise", async () => {
  await save(null, { items: items("fbc") });
  await save(B, "ignored");
  await put(variant(LATER, "later"));
  expect(await listed()).toEqual([
    "A mapped fbc inherited",
    "B ignored  exception",
    "later mapped fbc inherited",
  ]);
  await remove(B);
  expect((await listed())[1]).toBe("B mapped fbc inherited");
  await save(B, { items: items("tsh") });
  // B's page says that the whole product means something else now, B included.
  await save(null, { items: items("iron") }, B);
  expect(await listed()).toEqual([
    "A mapped iron inherited",
    "B mapped iron inherited",
    "later mapped iron inherited",
  ]);
  await remove(null);
  expect(await listed()).toEqual(["A unmapped", "B unmapped", "later unmapped"]);
});

test("an inherited mapping breaks when the catalogue loses its test, and counts as what it is", async () => {
  await save(null, { items: items("fbc") });
  await save(B, { items: items("tsh") });
  const counts = await db.tenancy.inShop(shop, async (tenant) => {
    const catalogue = { environment, tests: [], bundles: [], fetchedAt: new Date() };
    return tenant.storeVariants.counts({ environment, catalogue, search: "" });
  });
  expect(counts).toEqual({ mapped: 0, unmapped: 0, ignored: 0, broken: 2 });
});

test("a variant that was never read is ordered by its product's mapping, and nobody has to look", async () => {
  await save(null, { items: items("iron") });
  expect(await read(orderLine({ variantId: LATER }))).toMatchObject({ opened: 1 });
  expect(await requests()).toMatchObject([{ items: { tests: ["iron"] } }]);
  expect(await reviewCode()).toBeNull();
});

test.each([
  { what: "orders something else", meaning: { items: items("tsh") }, opened: 1, tests: "tsh" },
  { what: "is no test", meaning: "ignored" as const, opened: 0, tests: undefined },
])("a variant that $what comes before its product", async ({ meaning, opened, tests }) => {
  await save(null, { items: items("fbc") });
  await save(A, meaning);
  expect(await read(orderLine())).toMatchObject({ opened });
  expect((await requests())[0]?.items.tests[0]).toBe(tests);
  expect(await reviewCode()).toBeNull();
});

test("a line whose variant nobody knows waits for a person, whatever its product means", async () => {
  await save(null, { items: items("fbc") });
  expect(await read(orderLine({ variantId: null }))).toMatchObject({ opened: 0 });
  expect(await reviewCode()).toBe("unmapped_line");
});

test("orders that wait for a mapping are read again once their product has one", async () => {
  await read(orderLine({ variantId: LATER }));
  expect(await reviewCode()).toBe("unmapped_line");
  expect(await save(null, { items: items("fbc") })).toMatchObject({ ordersWaiting: 1 });
  const { rows } = await db.pool.query(
    "SELECT payload->>'orderId' AS id FROM outbox WHERE shop = $1 AND name = 'reconcile-order'",
    [shop],
  );
  expect(rows).toEqual([{ id: gid("Order", 1001) }]);
  expect(await read(orderLine({ variantId: LATER }))).toMatchObject({ opened: 1 });
  expect(await reviewCode()).toBeNull();
});

test("the service receives the product's tests and its practitioner's notes", async () => {
  const ledger = await startLedger(db);
  shop = ledger.shop;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({
      ...{ environment, productId: PRODUCT, variantId: null },
      ...{ kind: "order", items: MEDICARE, clinicalNotes: "Fasting" },
    }),
  );
  const requestId = await readyRequest(db, shop, { items: MEDICARE });
  const line = orderLine({ variantId: LATER });
  await db.tenancy.inShop(shop, async (tenant) => {
    const states = new Map([[line.id, "mapped" as const]]);
    await tenant.orders.record(storeOrder({ lines: [line] }), states, ledger.clock.now());
    const medicare = { medicareCardNumber: "2123456701", dvaNumber: null };
    await tenant.requests.savePatient(requestId, { patient: PATIENT, medicare }, new Date());
  });
  expect(await createReferral(ledger.ports, { shop, requestId })).toMatchObject({
    kind: "created",
  });
  expect(ledger.service.calls).toMatchObject([{ clinicalNotes: "Fasting" }]);
  const { rows } = await db.pool.query("SELECT m::text AS text FROM mappings m WHERE shop = $1", [
    shop,
  ]);
  expect(rows[0].text).not.toContain(Buffer.from("Fasting").toString("hex"));
});

test("a file that was exported changes nothing, and one that was edited makes an exception", async () => {
  await save(null, { items: items("fbc") });
  let text = "";
  for await (const piece of exportMappings(ports, { shop, environment })) text += piece;
  const plan = async (file: string) => {
    const bytes = Buffer.from(file);
    const planned = await planImport(ports, {
      shop,
      actor: "staff:1",
      environment,
      name: "m.csv",
      bytes,
    });
    if (planned.kind !== "planned") throw new Error(planned.message);
    const report = await readRun(ports, { shop, runId: planned.runId, after: 0 });
    return report?.rows.map(({ outcome, was, becomes }) => [outcome, was, becomes]);
  };
  expect(await plan(text)).toEqual([
    ["nothing_to_do", "fbc", "fbc"],
    ["nothing_to_do", "fbc", "fbc"],
  ]);
  expect(await plan("variant_id,kind,tests\n1,test,fbc\n2,test,tsh")).toEqual([
    ["nothing_to_do", "fbc", "fbc"],
    [null, "fbc", "tsh"],
  ]);
});

test("a practitioner who is needed for a whole product is kept, with a page where that is changed", async () => {
  await save(null, { items: MEDICARE });
  expect(await readPractitioners(ports, shop)).toMatchObject([
    { ...DOCTOR, uses: [{ variantId: A, title: "Blood count – the whole product" }] },
  ]);
});

test("what can be simulated are the variants that order something", async () => {
  await save(null, { items: items("fbc") });
  await save(B, "ignored");
  const ordering = db.tenancy.inShop(shop, (tenant) => tenant.mappings.ordering(environment, 10));
  expect(await ordering).toEqual([A]);
});

test("what is sent again takes the product's mapping as it is now", async () => {
  await save(null, { items: items("fbc") });
  await read(orderLine());
  const [request] = await requests();
  const requestId = request?.id ?? "";
  await db.pool.query(
    "UPDATE referral_requests SET state = 'rejected', review_code = 'rejected' WHERE shop = $1",
    [shop],
  );
  await save(null, { items: items("tsh") });
  const by = { actor: "staff:1", at: new Date() } as const;
  await db.tenancy.inShop(shop, (tenant) => retryIn(tenant, { requestId, ...by }));
  expect(await requests()).toMatchObject([{ items: { tests: ["tsh"] } }]);
});

test("a save counts the tests that were bought before and still wait as what the product meant then", async () => {
  const map = (test: string, variantId: VariantId | null) =>
    save(variantId, { items: items(test) });
  expect(await map("fbc", null)).toMatchObject({ unsentOtherwise: 0 });
  const sold = orderLine({ variantId: A, productId: PRODUCT, quantity: 2 });
  const order = storeOrder({ lines: [sold] });
  const storeOrders = { read: async () => order };
  const read = reconcileOrder({ ...ports, storeOrders }, { shop, orderId: order.id });
  expect(await read).toMatchObject({ opened: 2 });
  expect(await map("fbc", null)).toMatchObject({ unsentOtherwise: 0 });
  expect(await map("tsh", null)).toMatchObject({ unsentOtherwise: 2 });
  expect(await map("fbc", A)).toMatchObject({ unsentOtherwise: 0 });
  expect(await map("iron", null)).toMatchObject({ unsentOtherwise: 0 });
  expect(describeOtherwise(2)).toContain("2 tests bought before aren’t sent yet");
});
