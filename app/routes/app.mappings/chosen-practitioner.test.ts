import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { savePractitioner } from "../../modules/catalogue/keep-practitioners.ts";
import { batchOf, itemOf, type MappingChange } from "../../modules/catalogue/run.ts";
import { newRun } from "../../modules/catalogue/start-run.ts";
import { applyRun, mappingChanges } from "../../modules/catalogue/work-run.ts";
import { gid, type ShopDomain } from "../../modules/kernel/ids.ts";
import { workBatch } from "../../modules/kernel/work-batch.ts";
import { createLogger } from "../../platform/logger.ts";
import type { Tenant } from "../../ports.ts";
import { applyMapping } from "./apply-mapping.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const ports = {
  tenancy: db.tenancy,
  clock: { now: () => START },
  logger: createLogger("silent"),
  emailByService: false,
};
const DOCTOR = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };
const MOVED = { ...DOCTOR, name: "Dr P. Raman", address: "1 New St" };
const place = { variantId: gid("ProductVariant", 1), productId: gid("Product", 1) };
let shop: ShopDomain;
const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);

beforeEach(async () => {
  shop = await installedShop(db);
  const test = {
    id: "fbc",
    name: "Blood count",
    shortName: "FBC",
    priceCents: 9,
    turnaround: null,
  };
  await inShop((tenant) =>
    tenant.catalogues.save({ environment, tests: [test], bundles: [], fetchedAt: START }),
  );
});

const register = (practitioner: typeof DOCTOR, isNew = true) =>
  savePractitioner(ports, {
    ...{ shop, practitioner: { ...practitioner, label: "" }, isNew, actor: "staff:3" },
  });
const registered = () =>
  inShop(async (tenant) =>
    (await tenant.practitioners.all()).map(({ name, address, providerNumber }) => ({
      name,
      address,
      providerNumber,
    })),
  );
const mapped = () =>
  inShop(async (tenant) => {
    const mapping = (await tenant.mappings.list(environment, [place.variantId])).get(
      place.variantId,
    );
    return mapping?.kind === "order" ? mapping.items.practitioner : undefined;
  });

/** Sends the form of a mapping; answers what it says of each field, nothing when it is saved. */
async function save(fields: Record<string, string>) {
  const form = new FormData();
  const all = { intent: "save", environment, ...place, kind: "order", medicareTests: "fbc" };
  for (const [name, value] of Object.entries({ ...all, ...fields })) form.set(name, value);
  const { data } = await applyMapping(ports, { shop, actor: "staff:7" }, form);
  return data.errors ?? {};
}
const chosen = { practitionerProviderNumber: DOCTOR.providerNumber };
const typed = ({ name, address, providerNumber }: typeof DOCTOR) => ({
  practitionerName: name,
  practitionerAddress: address,
  practitionerProviderNumber: providerNumber,
});

/** A file that was read and not applied yet, as the draft stands in the database. */
async function draft() {
  const made = { environment, kind: "file", state: "draft", at: START, actor: "staff:1" } as const;
  const run = newRun({ ...made, fileName: "m.csv" });
  const items = { bundleId: null, tests: [], medicareTests: ["fbc"], practitioner: DOCTOR };
  const change: MappingChange = { kind: "order", items };
  const words = { label: "", was: "", becomes: "", field: null, outcome: null, message: null };
  await inShop((tenant) =>
    tenant.batches.add(batchOf(run), [itemOf({ line: 2, ...place, ...words, change })]),
  );
  return async () => {
    await applyRun(ports, { shop, runId: run.id });
    await workBatch(ports, { shop, batchId: run.id }, { mapping_change: mappingChanges });
    return inShop((tenant) => tenant.batches.items(run.id, { after: 0, limit: 1 }));
  };
}

test("an old draft orders under the practitioner as the registry has them now", async () => {
  await register(DOCTOR);
  const apply = await draft();
  await register(MOVED, false);
  expect(await apply()).toMatchObject([{ outcome: "done" }]);
  expect(await registered()).toEqual([MOVED]);
  expect(await mapped()).toEqual(MOVED);
});

test("a draft whose practitioner was removed is refused, and brings nobody back", async () => {
  const apply = await draft();
  expect(await apply()).toMatchObject([
    { outcome: "refused", message: expect.stringContaining(DOCTOR.providerNumber) },
  ]);
  expect(await registered()).toEqual([]);
  expect(await mapped()).toBeUndefined();
});

test("a form that chooses somebody names the number, and is refused once nobody has it", async () => {
  await register(MOVED);
  expect(await save(chosen)).toEqual({});
  expect(await mapped()).toEqual(MOVED);
  await inShop(async (tenant) => {
    await tenant.mappings.remove({ environment, ...place });
    await tenant.practitioners.remove(DOCTOR.providerNumber);
  });
  expect(await save(chosen)).toEqual({
    practitioner: expect.stringContaining(DOCTOR.providerNumber),
  });
  expect(await registered()).toEqual([]);
});

test("adds a typed practitioner once, and changes nobody who is there", async () => {
  expect(await save(typed(DOCTOR))).toEqual({});
  expect(await registered()).toEqual([DOCTOR]);
  // The same product is saved again, or another one.
  expect(await save(typed(DOCTOR))).toEqual({});
  await register(MOVED, false);
  // An open page sends this when it still shows the former values.
  expect(await save(typed(DOCTOR))).toEqual({
    practitioner: expect.stringContaining(MOVED.name),
  });
  expect(await registered()).toEqual([MOVED]);
  expect(await mapped()).toEqual(MOVED);
});

test("takes a typed practitioner whole, and a chosen one by a number that can be one", async () => {
  expect(await save({ ...typed(DOCTOR), practitionerAddress: "" })).toEqual({
    practitionerAddress: expect.any(String),
  });
  expect(await save({ practitionerProviderNumber: "" })).toEqual({
    practitionerProviderNumber: expect.any(String),
  });
});

test("a mapping that is written overwrites nobody, whoever it names", async () => {
  await register(MOVED);
  await inShop((tenant) =>
    tenant.mappings.save({
      environment,
      ...place,
      kind: "order",
      items: { bundleId: null, tests: [], medicareTests: ["fbc"], practitioner: DOCTOR },
    }),
  );
  expect(await registered()).toEqual([MOVED]);
});
