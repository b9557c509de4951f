import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { map, shopWith, variant } from "../../../test/database/mapping-desk.ts";
import { readMappings, readVariant } from "../../modules/reports/read-mappings.ts";
import { presentVariantForm } from "../app.mappings_.$variantId/present-variant.ts";
import { presentMappings } from "./present-mappings.ts";

const db = await openTestDatabase();

test("shows prices in the store's currency, and no margin where the service charges in another", async () => {
  const { shop, ports } = await shopWith(db, [variant(1, { priceCents: 100 })]);
  const { id } = variant(1);
  const all = { shop, state: null, search: "", place: null };
  await readMappings(ports, all);
  await map(ports, shop, 1);
  const seen = async () => {
    const [found] = presentMappings(await readMappings(ports, all)).variants;
    if (!found) throw new Error("no variant");
    const { price, margin, isLoss } = found;
    return { price, margin, isLoss };
  };
  expect(await seen()).toEqual({
    price: "$1.00",
    margin: expect.stringMatching(/below cost$/),
    isLoss: true,
  });

  await db.tenancy.inShop(shop, (tenant) => tenant.shops.recordFacts({ currency: "NZD" }));
  expect(await seen()).toEqual({
    price: expect.stringMatching(/^NZD\s1\.00$/),
    margin: null,
    isLoss: false,
  });
  const one = await readVariant(ports, { shop, variantId: id });
  expect(one && presentVariantForm(one).price).toEqual({ cents: 100, currency: "NZD" });
});
