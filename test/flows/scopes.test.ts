import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, QUICK_WORLD, type StoreOrder, shareWorld } from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { goShopping } from "./shopping.ts";

const world = await shareWorld(QUICK_WORLD);
const shopping = goShopping(world);
const { required, optional } = await world.store.scopes();
const OPTIONS = { tagOrders: "true", markFulfilled: "true" } as const;
const EXPLANATION = /Shopify doesn’t let Pathway tag orders/;

afterAll(async () => {
  await savePolicies(world);
  await world.store.chooseScopes(required);
});

const row = z.object({ scope: z.string() });
const knownScopes = async () => {
  const [known] = await world.sql.rows(row, "SELECT scope FROM shops");
  return known?.scope.split(",") ?? [];
};
const settings = () => world.pages.open("/app/settings");

async function buyForm(): Promise<StoreOrder> {
  const { order } = await shopping.buyToForm(await shopping.newShopper());
  return order;
}

test("tags and fulfils once the merchant grants the scopes later, and explains itself when they go", async () => {
  await savePolicies(world, OPTIONS);
  expect(await settings()).toMatch(EXPLANATION);
  const before = await buyForm();

  // In the admin, with no word to the app but Shopify's message, which names write scopes only.
  await world.store.chooseScopes([...required, ...optional]);
  await eventually(async () => expect(await knownScopes()).toContain("write_orders"));
  expect(await knownScopes()).not.toContain("read_orders");
  expect(await settings()).not.toMatch(EXPLANATION);
  const order = await buyForm();
  await eventually(async () => {
    expect(await world.store.order(order.id)).toMatchObject({
      tags: ["pathway-form-issued"],
      fulfillmentStatus: "FULFILLED",
    });
  });
  expect((await world.store.order(before.id)).tags).toEqual([]);

  await world.store.chooseScopes(required);
  await eventually(async () => expect(await knownScopes()).not.toContain("write_orders"));
  expect(await settings()).toMatch(EXPLANATION);
  const after = await buyForm();
  await eventually(async () =>
    expect(
      await world.sql.count("SELECT count(*) FROM outbox WHERE name = 'publish-order-status'"),
    ).toBe(0),
  );
  expect((await world.store.order(after.id)).tags).toEqual([]);
}, 120_000);

test("knows of a grant when an option is saved, though Shopify's message is lost", async () => {
  await world.store.setFaults({ webhooks: { drop: true } });
  await world.store.chooseScopes([...required, ...optional]);
  expect(await knownScopes()).not.toContain("write_orders");
  await savePolicies(world, OPTIONS);
  expect(await knownScopes()).toContain("write_orders");
  expect(await settings()).not.toMatch(EXPLANATION);
  await world.store.setFaults({});
});
