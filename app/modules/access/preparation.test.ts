import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { ONE_TEST, orderLine, storeOrder } from "../../../test/database/seed.ts";
import { removeMapping, saveMapping } from "../catalogue/save-mapping.ts";
import type { CustomerState } from "../referrals/customer-view.ts";
import type { OrderedItems } from "../referrals/referral-service.ts";
import { preparationOf, preparationSteps } from "./preparation.ts";

const db = await openTestDatabase();
const FINDER = { name: "Example Pathology", url: "https://example.com/centres" };
const STEPS = "Don’t eat for 8 hours.\nWater is fine.";

test.each<{ state: CustomerState; parts?: CustomerState[]; told: unknown }>([
  { state: "awaiting_details", told: { when: "later" } },
  { state: "being_prepared", told: { when: "later" } },
  { state: "form_ready", told: { when: "now", steps: STEPS, finder: FINDER } },
  { state: "partial_results", told: null },
  { state: "results_ready", told: null },
  { state: "in_review", told: null },
  { state: "cancelled", told: null },
  { state: "needs_support", told: null },
  // One of two samples is still to be taken.
  {
    state: "partial_results",
    parts: ["results_ready", "form_ready"],
    told: { when: "now", steps: STEPS, finder: FINDER },
  },
])("tells of the steps while they are of use: $state $parts", ({ state, parts = [], told }) => {
  const place = { state, parts: parts.map((part) => ({ state: part })) };
  const facts = { steps: STEPS, finder: FINDER };
  expect(preparationOf({ ...place, access: { form: "granted" } }, facts)).toEqual(told);
});

test("tells no step to whom the form does not open, and what to bring where there are no steps", () => {
  const ready = { state: "form_ready", parts: [] } as const;
  const closed = { ...ready, access: { form: "other_purpose" } } as const;
  expect(preparationOf(closed, { steps: STEPS, finder: FINDER })).toEqual({ when: "later" });
  expect(preparationOf(closed, { steps: null, finder: FINDER })).toBeNull();
  const open = { ...ready, access: { form: "granted" } } as const;
  const none = { steps: null, finder: null };
  expect(preparationOf(open, none)).toEqual({ when: "now", ...none });
});

test("reads the steps of a product's own mapping for the unit's owner alone", async () => {
  const { shop, id, see, seeOne, send, enter } = await startInvitation(db);
  const { variantId, productId } = orderLine();
  if (!variantId || !productId) throw new Error("The line sold nothing");
  expect((await seeOne(BUYER))?.preparation).toBeNull();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({
      ...{ environment: "staging", variantId: null, productId },
      ...{ kind: "order", items: ONE_TEST, preparation: STEPS },
    }),
  );
  expect((await see(BUYER)).map(({ preparation }) => preparation)).toEqual([
    { when: "later" },
    { when: "later" },
  ]);
  await send();
  const patient = await enter();
  expect((await seeOne(BUYER))?.preparation).toBeNull();
  expect((await see(patient)).map((one) => [one.id, one.preparation])).toEqual([
    [id, { when: "later" }],
  ]);
});

test("a form tells the steps of the test that it orders, whatever its product is mapped to since", async () => {
  const { shop, ports, clock, seeOne } = await startInvitation(db);
  const { variantId, productId } = orderLine();
  if (!variantId || !productId) throw new Error("The line sold nothing");
  const blood = (id: string) => ({
    ...{ id, name: id, shortName: id, priceCents: 100, turnaround: null },
  });
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.catalogues.save({
      ...{ environment: "staging", bundles: [], fetchedAt: clock.now() },
      tests: [blood("fbc"), blood("tsh")],
    }),
  );
  const map = async (items: OrderedItems, preparation: string | null) => {
    clock.advance(1);
    const place = { environment: "staging", variantId, productId } as const;
    const mapping = { ...place, kind: "order", items, preparation } as const;
    expect((await saveMapping(ports, { shop, mapping, actor: "staff:1" })).kind).toBe("saved");
  };
  const steps = async () => {
    const told = (await seeOne(BUYER))?.preparation;
    const known = await db.tenancy.inShop(shop, async (tenant) => {
      const requests = await tenant.requests.forOrder(orderId);
      return preparationSteps(tenant, requests.slice(0, 1));
    });
    expect(told).toEqual(known.size === 0 ? null : { when: "later" });
    return [...known.values()][0];
  };
  const orderId = storeOrder().id;
  await map(ONE_TEST, "Fast for two hours.");
  await map(ONE_TEST, STEPS);
  expect(await steps()).toBe(STEPS);
  await map({ ...ONE_TEST, tests: ["tsh"] }, "Eat as usual.");
  expect(await steps()).toBe(STEPS);
  const place = { environment: "staging", variantId, productId } as const;
  await removeMapping(ports, { shop, actor: "staff:1", ...place });
  expect(await steps()).toBe(STEPS);
  await map(ONE_TEST, null);
  expect(await steps()).toBeUndefined();
});
