import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, shareWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { timelineOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";

const world = await shareWorld();
const shopping = goShopping(world);

const CARD = "2950628481";
const NOTES = "Annual check-up. Fasting sample, please.";
const OTHER = { name: "Dr Ama Osei", address: "1 Lygon St", providerNumber: "2123461L" };

/** The one of the products that every world has. */
const FIRST = only(
  await world.sql.rows(
    z.object({ name: z.string(), address: z.string(), providerNumber: z.string() }),
    `SELECT name, address, provider_number AS "providerNumber" FROM practitioners p
     WHERE EXISTS (SELECT FROM mappings m WHERE m.provider_number = p.provider_number AND variant_id = $1)`,
    [shopping.product("medicare").variantId],
  ),
);
afterAll(() => world.console.addProviderNumber({ ...FIRST, signature: true }));

/** A product of this file's own, ordered under the first practitioner's number until that is changed. */
const product = await world.store.createProduct({
  title: "Vitamin studies under Medicare",
  variants: [{ priceCents: 5_000 }],
});
const { id: variantId } = only(product.variants);

/** Orders a test under Medicare and gives the patient's details. */
async function order() {
  const buyer = await shopping.newShopper();
  const bought = await shopping.buy(buyer, [[variantId, 1]]);
  const patient = { ...shopping.patient(), medicareCardNumber: CARD };
  await shopping.giveDetails(buyer, await shopping.requestsWhen(bought, 1), patient);
  return bought;
}

const map = async (practitioner: typeof OTHER, clinicalNotes?: string) => {
  const { tests, medicareTests } = shopping.product("medicare").mapsTo;
  return world.pages.saveMapping({
    productId: product.id,
    variantId,
    kind: "order",
    tests,
    medicareTests,
    practitionerName: practitioner.name,
    practitionerAddress: practitioner.address,
    practitionerProviderNumber: practitioner.providerNumber,
    clinicalNotes,
  });
};
await map(FIRST);

test("leads from a refusal for its practitioner to the mapping, and sends it under another one's number", async () => {
  await world.console.addProviderNumber({ ...FIRST, signature: false });
  const orders = [await order(), await order()];
  for (const one of orders)
    await shopping.requestsWhen(one, 1, ({ reviewReason }) =>
      expect(reviewReason).toBe("rejected:MISSING_PROVIDER_SIGNATURE"),
    );
  const variant = variantId.split("/").at(-1);
  for (const path of ["/app/attention", `/app/orders/${orders[0]?.id.split("/").at(-1)}`]) {
    const page = await world.pages.open(path);
    expect(page).toContain("Change practitioner");
    expect(page).toContain(`/app/mappings/${variant}`);
  }

  await world.console.addProviderNumber({ ...OTHER, signature: true });
  await map(OTHER, NOTES);
  for (const one of orders) {
    const requests = await shopping.requestsWhen(one, 1, ({ state }) =>
      expect(state).toBe("created"),
    );
    const sent = only(await oneReferralEach(world, requests));
    expect(sent).toMatchObject({
      medicare: true,
      orderingPractitioner: OTHER,
      orderingPractitionerClinicalNotes: NOTES,
    });
    expect(await timelineOf(world.sql, only(requests).id)).toContain("retry_asked");
  }
});

test("the practitioner's notes are shown where they are changed, and in no clear text of the database", async () => {
  const [row] = await world.sql.rows(
    z.object({ text: z.string() }),
    "SELECT m::text AS text FROM mappings m WHERE clinical_notes_sealed IS NOT NULL AND variant_id = $1",
    [variantId],
  );
  expect(row?.text).not.toContain(Buffer.from(NOTES).toString("hex"));
  const page = await world.pages.open(`/app/mappings/${variantId.split("/").at(-1)}`);
  expect(page).toContain(NOTES);
});

test("once the same practitioner was put right, what was refused goes out by itself", async () => {
  await world.console.addProviderNumber({ ...OTHER, signature: false });
  const refused = await order();
  await shopping.requestsWhen(refused, 1, ({ state }) => expect(state).toBe("rejected"));
  await world.console.addProviderNumber({ ...OTHER, signature: true });
  const { providerNumber } = OTHER;
  await world.pages.submit("/app/practitioners", {
    intent: "fixed",
    key: providerNumber,
    providerNumber,
  });
  const requests = await shopping.requestsWhen(refused, 1, ({ state }) =>
    expect(state).toBe("created"),
  );
  await eventually(async () => expect(await oneReferralEach(world, requests)).toHaveLength(1));
});
