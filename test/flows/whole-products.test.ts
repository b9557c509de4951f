import { expect, test } from "vitest";
import { shareWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { goShopping, only } from "./shopping.ts";

const world = await shareWorld();
const shopping = goShopping(world);

const product = await world.store.createProduct({
  title: "Iron and thyroid by choice",
  variants: [
    { title: "Once", priceCents: 5_000 },
    { title: "Twice", priceCents: 9_000 },
    { title: "Card only", priceCents: 500 },
  ],
});
const [once, twice, card] = product.variants.map(({ id }) => id) as [string, string, string];

test("a product that is mapped as a whole goes out for every variant but the one that is no test", async () => {
  const { tests = [] } = shopping.product("tests").mapsTo;
  const place = { productId: product.id, variantId: once };
  await world.pages.saveMapping({ ...place, scope: "product", kind: "order", tests });
  await world.pages.saveMapping({ productId: product.id, variantId: card, kind: "ignored" });
  const page = await world.pages.open(`/app/mappings/${twice.split("/").at(-1)}`);
  expect(page).toContain("nherited from the whole product");

  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [
    [twice, 1],
    [card, 1],
  ]);
  await shopping.giveDetails(
    buyer,
    await shopping.requestsWhen(order, 1, ({ reviewReason }) => expect(reviewReason).toBeNull()),
    shopping.patient(),
  );
  const requests = await shopping.requestsWhen(order, 1, ({ state }) =>
    expect(state).toBe("created"),
  );
  const sent = only(await oneReferralEach(world, requests));
  expect(JSON.stringify(sent)).toContain(tests[0]);
});
