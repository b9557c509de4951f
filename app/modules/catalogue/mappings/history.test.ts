import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop } from "../../../../test/database/seed.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createLogger } from "../../../platform/logger.ts";
import { gid, type VariantId } from "../../kernel/ids.ts";
import { describeStep } from "../history-words.ts";
import type { NewMapping } from "../mapping.ts";
import { readHistory } from "../read-history.ts";
import { removeMapping, saveMapping } from "../save-mapping.ts";
import { undoMapping } from "../undo-mapping.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const PRODUCT = gid("Product", 2);
const A = gid("ProductVariant", 2);
const B = gid("ProductVariant", 3);
const DOCTOR = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };
const items = (...tests: string[]) => ({
  ...{ bundleId: null, tests, medicareTests: [], practitioner: null },
});
const testOf = (id: string, name: string) => ({
  ...{ id, name, shortName: id, priceCents: 1, turnaround: null },
});
const CATALOGUE = {
  ...{ environment, bundles: [], fetchedAt: new Date() },
  tests: [testOf("fbc", "Full blood count"), testOf("tsh", "Thyroid")],
};

async function open() {
  const shop = await installedShop(db);
  const ports = { tenancy: db.tenancy, clock: systemClock, logger: createLogger("silent") };
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.catalogues.save(CATALOGUE);
    const at = await tenant.storeVariants.beginReading();
    const variant = (id: VariantId) => ({
      ...{ id, productId: PRODUCT, productTitle: "Blood count", variantTitle: id },
      ...{ sku: null, priceCents: 5_000, productStatus: "active" as const },
    });
    await tenant.storeVariants.put([variant(A), variant(B)], at);
    const kim = { staff: "staff:2", name: "Kim Lee", isAccountOwner: false };
    await tenant.staff.identify(kim, new Date());
  });
  const place = (variantId: VariantId | null) => ({ environment, productId: PRODUCT, variantId });
  return {
    async save(
      variantId: VariantId | null,
      meaning: Pick<NewMapping & { kind: "order" }, "items" | "clinicalNotes" | "preparation">,
      actor: `staff:${string}` = "staff:2",
    ) {
      const mapping = { ...place(variantId), kind: "order" as const, ...meaning };
      const saved = await saveMapping(ports, { shop, actor, heir: null, mapping });
      if (saved.kind !== "saved") throw new Error(saved.kind);
      return saved.changeId;
    },
    remove: (variantId: VariantId) =>
      removeMapping(ports, { shop, actor: "staff:2", ...place(variantId) }),
    undo: (changeId: string) => undoMapping(ports, { shop, actor: "staff:1", changeId }),
    async history(variantId: VariantId) {
      const { steps, hasMore } = await readHistory(ports, { shop, ...place(variantId) });
      const words = steps.map((step) => describeStep(step, CATALOGUE));
      return { hasMore, words, steps };
    },
  };
}

test("lists who changed a mapping, and from what to what, the newest first", async () => {
  const { history, remove, save, undo } = await open();
  expect((await history(A)).words).toEqual([]);
  await save(A, { items: items("fbc") }, "staff:404");
  const second = await save(A, { items: items("fbc", "tsh") });
  await undo(second);
  await remove(A);
  await save(B, { items: items("tsh") });
  const [one, both] = ["Tests: Full blood count", "Tests: Full blood count, Thyroid"];
  const { words, steps } = await history(A);
  expect(words).toEqual([
    { deed: "Mapping removed", who: "Kim Lee", from: one, to: "Unmapped", texts: [] },
    { deed: "Change undone", who: "Mo Manager", from: both, to: one, texts: [] },
    { deed: "Mapping changed", who: "Kim Lee", from: one, to: both, texts: [] },
    { deed: "Mapping added", who: "your staff", from: "Unmapped", to: one, texts: [] },
  ]);
  const times = steps.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test("lists the changes of the whole product beside the variant's own", async () => {
  const { history, save } = await open();
  await save(null, { items: items("fbc") });
  await save(A, { items: items("tsh") });
  await save(null, { items: items("fbc", "tsh") });
  const lines = async (variantId: VariantId) =>
    (await history(variantId)).words.map(({ deed, to }) => `${deed}: ${to}`);
  const whole = [
    "Mapping of the whole product changed: Tests: Full blood count, Thyroid",
    "Mapping of the whole product added: Tests: Full blood count",
  ];
  expect(await lines(A)).toEqual([whole[0], "Mapping added: Tests: Thyroid", whole[1]]);
  expect(await lines(B)).toEqual(whole);
});

test("says that a text or the practitioner changed, without the text", async () => {
  const { history, save } = await open();
  const medicare = { ...items("fbc"), medicareTests: ["fbc"], practitioner: DOCTOR };
  const other = { ...DOCTOR, providerNumber: "2123461L" };
  await save(A, { items: medicare, clinicalNotes: "Private", preparation: "Fast" });
  await save(A, { items: medicare, clinicalNotes: "Secret", preparation: "Drink water" });
  await save(A, { items: { ...medicare, practitioner: other } });
  const { words } = await history(A);
  expect(words.map(({ texts, to }) => ({ texts, to }))).toEqual([
    { texts: ["Practitioner changed"], to: "" },
    { texts: ["Preparation changed", "Clinical notes changed"], to: "" },
    { texts: [], to: "Tests: Full blood count; Medicare-billed (Dr Raman): Full blood count" },
  ]);
  expect(JSON.stringify(words)).not.toMatch(/Private|Secret|Fast|water/);
});

test("lists the last ten of many, each with what it became", async () => {
  const { history, save } = await open();
  for (let n = 0; n < 12; n++) await save(A, { items: items(n % 2 === 0 ? "fbc" : "tsh") });
  const { hasMore, words } = await history(A);
  expect(hasMore).toBe(true);
  expect(words).toHaveLength(10);
  for (const [index, { from, to }] of words.entries()) {
    const names = ["Tests: Thyroid", "Tests: Full blood count"];
    expect([to, from]).toEqual(index % 2 === 0 ? names : names.toReversed());
  }
});
