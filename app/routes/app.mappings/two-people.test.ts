import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { mappingVersion, UNMAPPED_VERSION } from "../../modules/catalogue/mapping-version.ts";
import { gid, type ShopDomain } from "../../modules/kernel/ids.ts";
import type { Tenant } from "../../ports.ts";
import { applyMapping, applyRemoval } from "./apply-mapping.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const ports = { tenancy: db.tenancy, clock: { now: () => START }, emailByService: false };
const place = { variantId: gid("ProductVariant", 1), productId: gid("Product", 1) };
let shop: ShopDomain;
const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);

beforeEach(async () => {
  shop = await installedShop(db);
  const item = (id: string) => ({
    ...{ id, name: id, shortName: id, priceCents: 9, turnaround: null },
  });
  await inShop(async (tenant) => {
    const tests = ["fbc", "iron", "tsh"].map(item);
    await tenant.catalogues.save({ environment, tests, bundles: [], fetchedAt: START });
    const kim = { staff: "staff:2", name: "Kim Lee", isAccountOwner: false };
    await tenant.staff.identify(kim, START);
  });
});

function formOf(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ environment, ...place, ...fields }))
    form.set(name, value);
  return form;
}
const save = async (actor: "staff:1" | "staff:2", fields: Record<string, string>) =>
  (await applyMapping(ports, { shop, actor }, formOf({ intent: "save", kind: "order", ...fields })))
    .data.errors ?? {};
const ofProduct = () => inShop((tenant) => tenant.mappings.ofProduct(environment, place.productId));
const version = async () => mappingVersion(await ofProduct(), place.variantId);
const tests = async () =>
  (await ofProduct()).map((one) => (one.kind === "order" ? one.items.tests : one.kind));
const BY_KIM = { changedMeanwhile: expect.stringContaining("Kim Lee") };

test("a mapping is not saved over what somebody else saved since the page was opened", async () => {
  const seen = await version();
  expect(seen).toBe(UNMAPPED_VERSION);
  expect(await save("staff:2", { tests: "iron", seen })).toEqual({});
  expect(await save("staff:1", { tests: "fbc", seen })).toEqual(BY_KIM);
  expect(await tests()).toEqual([["iron"]]);
  // The same wish twice is one.
  expect(await save("staff:1", { tests: "iron", seen })).toEqual({});
  expect(await save("staff:1", { tests: "fbc", seen: await version() })).toEqual({});
  expect(await tests()).toEqual([["fbc"]]);
});

test("nor a whole product's, whose variant has one of its own", async () => {
  expect(await save("staff:1", { tests: "fbc" })).toEqual({});
  const seen = await version();
  expect(await save("staff:2", { tests: "iron", scope: "product", seen })).toEqual({});
  expect(await save("staff:1", { tests: "tsh", scope: "product", seen })).toEqual(BY_KIM);
  expect(await tests()).toEqual([["iron"]]);
});

test("nor is one removed that somebody else has changed since", async () => {
  expect(await save("staff:1", { tests: "fbc" })).toEqual({});
  const seen = await version();
  expect(await save("staff:2", { tests: "iron", seen })).toEqual({});
  const remove = async (shown: string) =>
    (await applyRemoval(ports, { shop, actor: "staff:1" }, formOf({ seen: shown }))).data;
  expect((await remove(seen)).toast).toContain("Kim Lee");
  expect(await tests()).toEqual([["iron"]]);
  const now = await version();
  expect((await remove(now)).toast).toBe("Mapping removed");
  expect(await tests()).toEqual([]);
  // The second press of the button.
  expect((await remove(now)).toast).toBe("Mapping removed");
});

test.each([
  ["one that has no mapping yet", false],
  ["a mapped one", true],
])("of two who save %s at once, one does, and the other is told by whom", async (_, isMapped) => {
  if (isMapped) expect(await save("staff:1", { tests: "tsh" })).toEqual({});
  const seen = await version();
  const answers = await Promise.all([
    save("staff:2", { tests: "iron", seen }),
    save("staff:2", { tests: "fbc", seen }),
  ]);
  const won = answers.findIndex((errors) => !("changedMeanwhile" in errors));
  expect(answers.toSpliced(won, 1)).toEqual([BY_KIM]);
  expect(await tests()).toEqual([[["iron", "fbc"][won]]]);
});

test("of two who save and remove a mapping at once, one has it their way", async () => {
  expect(await save("staff:2", { tests: "tsh" })).toEqual({});
  const seen = await version();
  const [saved, removed] = await Promise.all([
    save("staff:2", { tests: "iron", seen }),
    applyRemoval(ports, { shop, actor: "staff:2" }, formOf({ seen })),
  ]);
  const isSaved = !("changedMeanwhile" in saved);
  expect(await tests()).toEqual(isSaved ? [["iron"]] : []);
  if (isSaved) expect(removed.data.toast).toContain("Kim Lee");
  else expect(removed.data.toast).toBe("Mapping removed");
});
