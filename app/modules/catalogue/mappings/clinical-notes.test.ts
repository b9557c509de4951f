import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startLedger } from "../../../../test/database/ledger.ts";
import { orderLine, PATIENT, readyRequest, storeOrder } from "../../../../test/database/seed.ts";
import { gid } from "../../kernel/ids.ts";
import { createReferral } from "../../referrals/create-referral.ts";
import type { OrderedItems } from "../../referrals/referral-service.ts";
import { saveMapping } from "../save-mapping.ts";

const db = await openTestDatabase();
const NOTES = "Routine check, fasting";
const place = {
  environment: "staging",
  variantId: gid("ProductVariant", 1),
  productId: gid("Product", 1),
} as const;
const PRACTITIONER = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };
const MEDICARE: OrderedItems = {
  bundleId: null,
  tests: ["fbc"],
  medicareTests: ["fbc"],
  practitioner: PRACTITIONER,
};
const PRIVATE: OrderedItems = { ...MEDICARE, medicareTests: [], practitioner: null };

async function start() {
  const ledger = await startLedger(db);
  const { shop } = ledger;
  const save = (clinicalNotes: string | null | undefined, items = MEDICARE) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.mappings.save({ ...place, kind: "order", items, clinicalNotes }),
    );
  const notes = () =>
    db.tenancy.inShop(shop, async (tenant) => {
      const found = await tenant.mappings.list("staging", [place.variantId]);
      const mapping = found.get(place.variantId);
      return mapping?.kind === "order" ? mapping.clinicalNotes : "no order";
    });
  return { ...ledger, save, notes };
}

test("notes are kept sealed, stay when only the tests change, and go with the Medicare tests", async () => {
  const { shop, save, notes } = await start();
  await save(NOTES);
  expect(await notes()).toBe(NOTES);
  const { rows } = await db.pool.query("SELECT m::text AS text FROM mappings m WHERE shop = $1", [
    shop,
  ]);
  expect(rows).toHaveLength(1);
  expect(rows[0].text).not.toContain(Buffer.from(NOTES).toString("hex"));
  await save(undefined);
  expect(await notes()).toBe(NOTES);
  await save(null);
  expect(await notes()).toBeNull();
  await save(NOTES);
  await save(NOTES, PRIVATE);
  expect(await notes()).toBeNull();
});

test("preparation is kept sealed, with or without Medicare tests, and stays when only the tests change", async () => {
  const { shop } = await start();
  const steps = "Don’t eat for 8 hours.\nWater is fine.";
  const save = (preparation: string | null | undefined, items = PRIVATE) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.mappings.save({ ...place, kind: "order", items, preparation }),
    );
  const stored = () =>
    db.tenancy.inShop(shop, async (tenant) => {
      const mapping = (await tenant.mappings.list("staging", [place.variantId])).get(
        place.variantId,
      );
      return mapping?.kind === "order" ? mapping.preparation : "no order";
    });
  await save(steps);
  expect(await stored()).toBe(steps);
  const { rows } = await db.pool.query("SELECT m::text AS text FROM mappings m WHERE shop = $1", [
    shop,
  ]);
  expect(rows[0].text).not.toContain(Buffer.from("8 hours").toString("hex"));
  expect(rows[0].text).not.toContain("8 hours");
  await save(undefined, MEDICARE);
  expect(await stored()).toBe(steps);
  await save(null);
  expect(await stored()).toBeNull();
  await save(steps);
  await db.tenancy.inShop(shop, (tenant) => tenant.mappings.save({ ...place, kind: "ignored" }));
  await save(undefined);
  expect(await stored()).toBeNull();
});

test.each([
  { what: "a Medicare order", items: MEDICARE, sent: NOTES },
  { what: "an order without Medicare tests", items: PRIVATE, sent: undefined },
])("$what carries the notes as they are when it is sent: $sent", async ({ items, sent }) => {
  const { shop, save, ports, service } = await start();
  const requestId = await readyRequest(db, shop, { items });
  const states = new Map([[orderLine().id, "mapped" as const]]);
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(storeOrder(), states, ports.clock.now());
    const medicare = { medicareCardNumber: "2123456701", dvaNumber: null };
    await tenant.requests.savePatient(requestId, { patient: PATIENT, medicare }, ports.clock.now());
  });
  await save("as they were");
  await save(NOTES);
  expect(await createReferral(ports, { shop, requestId })).toMatchObject({ kind: "created" });
  expect(service.calls.map((call) => call.clinicalNotes)).toEqual([sent]);
});

test("an order carries the notes of the tests that it orders, whatever its product is mapped to since", async () => {
  const { shop, ports, service, clock } = await start();
  const requestId = await readyRequest(db, shop, { items: MEDICARE });
  const states = new Map([[orderLine().id, "mapped" as const]]);
  const tests = ["fbc", "tsh"].map((id) => ({
    ...{ id, name: id, shortName: id, priceCents: 100, turnaround: null },
  }));
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(storeOrder(), states, ports.clock.now());
    const medicare = { medicareCardNumber: "2123456701", dvaNumber: null };
    await tenant.requests.savePatient(requestId, { patient: PATIENT, medicare }, ports.clock.now());
    const fetchedAt = ports.clock.now();
    await tenant.catalogues.save({ environment: "staging", bundles: [], tests, fetchedAt });
  });
  const map = async (items: OrderedItems, clinicalNotes: string | null) => {
    clock.advance(1);
    const mapping = { ...place, kind: "order", items, clinicalNotes } as const;
    expect((await saveMapping(ports, { shop, mapping, actor: "staff:1" })).kind).toBe("saved");
  };
  await map(MEDICARE, NOTES);
  await map({ ...MEDICARE, medicareTests: ["tsh"] }, "Goitre, on thyroxine");
  expect(await createReferral(ports, { shop, requestId })).toMatchObject({ kind: "created" });
  expect(service.calls.map((call) => call.clinicalNotes)).toEqual([NOTES]);
});
