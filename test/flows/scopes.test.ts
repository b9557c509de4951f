import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, QUICK_WORLD, type StoreOrder, shareWorld } from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { CANARIES, CANARY_PATIENT } from "./canary-patient.ts";
import { goShopping, only } from "./shopping.ts";
import { storeCalls } from "./store-calls.ts";

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
  const [known] = await world.sql.rows(row, "SELECT scope FROM shops WHERE shop = $1", [
    world.line.store.shop,
  ]);
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
});

test("knows of a grant when an option is saved, though Shopify's message is lost", async () => {
  await world.store.setFaults({ webhooks: { drop: true } });
  await world.store.chooseScopes([...required, ...optional]);
  expect(await knownScopes()).not.toContain("write_orders");
  await savePolicies(world, OPTIONS);
  expect(await knownScopes()).toContain("write_orders");
  expect(await settings()).not.toMatch(EXPLANATION);
  await world.store.setFaults({});
});

test("tells the store how far an order is, and nothing of who was tested for what, or of what was found", async () => {
  await world.store.chooseScopes([...required, ...optional]);
  await savePolicies(world, { ...OPTIONS, startFlows: "true" });
  const buyer = await shopping.newShopper();
  const [harmless, urgent] = [
    await resulted({ critical: false }),
    await resulted({ critical: true }),
  ];
  for (const { id } of [harmless, urgent])
    await eventually(async () =>
      expect((await world.store.order(id)).tags).toEqual([
        "pathway-form-issued",
        "pathway-results-in",
      ]),
    );
  // Somebody is to ring the patient; who sees the order in Shopify does not learn that.
  await eventually(async () => {
    const needed = "reason_code = 'urgent_result_shown' AND order_id = $1";
    const count = `SELECT count(*) FROM referral_requests WHERE ${needed}`;
    expect(await world.sql.count(count, [urgent.id])).toBe(1);
    const queued = "SELECT count(*) FROM outbox WHERE name = 'publish-order-status'";
    expect(await world.sql.count(queued)).toBe(0);
  });
  expect((await world.store.order(urgent.id)).tags).toEqual([
    "pathway-form-issued",
    "pathway-results-in",
  ]);

  let flows = await storeCalls(world).flows();
  const started = (order: StoreOrder) =>
    flows.filter(({ payload }) => payload.order_id === Number(order.id.split("/").at(-1)));
  const handles = (order: StoreOrder) => started(order).map(({ handle }) => handle);
  // A workflow is started after the tag is there.
  await eventually(async () => {
    flows = await storeCalls(world).flows();
    for (const order of [harmless, urgent])
      expect(handles(order)).toEqual(["pathway-results-ready", "pathway-referral-issued"]);
  });

  const inStore = [await world.store.order(harmless.id), await world.store.order(urgent.id)].map(
    // The product's own title is the store's; everything else there is the app's doing.
    ({ lines: _, ...rest }) => rest,
  );
  const told = [...started(harmless), ...started(urgent)].map(({ payload }) => payload);
  for (const payload of told)
    expect(Object.keys(payload).sort()).toEqual(["Request id", "order_id"]);
  const text = JSON.stringify([inStore, told]).toLowerCase();
  for (const word of [...CANARIES, "critical", "abnormal", "urgent"])
    expect(text).not.toContain(word.toLowerCase());

  async function resulted(wish: { critical: boolean }) {
    const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
    await shopping.giveDetails(buyer, await shopping.requestsWhen(order, 1), CANARY_PATIENT);
    const requests = await shopping.requestsWhen(order, 1, ({ state }) =>
      expect(state).toBe("created"),
    );
    await eventually(async () => {
      expect((await world.store.order(order.id)).tags).toEqual(["pathway-form-issued"]);
    });
    const { uuid } = only(await oneReferralEach(world, requests));
    await world.console.sendResults(uuid, { abnormal: true, ...wish });
    return order;
  }
});
