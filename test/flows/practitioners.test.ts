import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { timelineOf } from "./rows.ts";
import { goShopping, only, type Shopping } from "./shopping.ts";

let world: TestWorld;
let shopping: Shopping;
beforeAll(async () => {
  world = await startWorld();
  shopping = goShopping(world);
}, 120_000);
afterAll(() => world?.stop(), 60_000);

const CARD = "2950628481";
const NOTES = "Annual check-up. Fasting sample, please.";
const OTHER = { name: "Dr Ama Osei", address: "1 Lygon St", providerNumber: "2123461L" };

const practitionerRow = z.object({ name: z.string(), address: z.string(), number: z.string() });
const firstPractitioner = async () =>
  only(
    await world.sql.rows(
      practitionerRow,
      "SELECT name, address, provider_number AS number FROM practitioners",
    ),
  );

/** Orders a test under Medicare and gives the patient's details. */
async function order() {
  const buyer = await shopping.newShopper();
  const bought = await shopping.buy(buyer, [[shopping.product("medicare").variantId, 1]]);
  const patient = { ...shopping.patient(), medicareCardNumber: CARD };
  await shopping.giveDetails(buyer, await shopping.requestsWhen(bought, 1), patient);
  return bought;
}

const map = async (practitioner: typeof OTHER, clinicalNotes: string) => {
  const { variantId, mapsTo } = shopping.product("medicare");
  const sold = (await world.store.products()).find(({ variants }) =>
    variants.some(({ id }) => id === variantId),
  );
  return world.pages.saveMapping({
    productId: sold?.id ?? "",
    variantId,
    kind: "order",
    tests: mapsTo.tests,
    medicareTests: mapsTo.medicareTests,
    practitionerName: practitioner.name,
    practitionerAddress: practitioner.address,
    practitionerProviderNumber: practitioner.providerNumber,
    clinicalNotes,
  });
};

test("what was refused for its practitioner leads to the mapping, and goes out under another one's number", async () => {
  const { number, ...refused } = await firstPractitioner();
  await world.console.addProviderNumber({ ...refused, providerNumber: number, signature: false });
  const orders = [await order(), await order()];
  for (const one of orders)
    await shopping.requestsWhen(one, 1, ({ attention }) =>
      expect(attention).toBe("rejected:MISSING_PROVIDER_SIGNATURE"),
    );
  const variant = shopping.product("medicare").variantId.split("/").at(-1);
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
}, 120_000);

test("the practitioner's notes are shown where they are changed, and in no clear text of the database", async () => {
  const [row] = await world.sql.rows(
    z.object({ text: z.string() }),
    "SELECT m::text AS text FROM mappings m WHERE clinical_notes_sealed IS NOT NULL",
  );
  expect(row?.text).not.toContain(Buffer.from(NOTES).toString("hex"));
  const page = await world.pages.open(
    `/app/mappings/${shopping.product("medicare").variantId.split("/").at(-1)}`,
  );
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
}, 60_000);
