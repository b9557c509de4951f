import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, QUICK_WORLD, type StoreOrder, shareWorld } from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { CANARIES, CANARY_PATIENT } from "./canary-patient.ts";
import { goShopping, only } from "./shopping.ts";
import { storeCalls } from "./store-calls.ts";

const world = await shareWorld(QUICK_WORLD);
const shopping = goShopping(world);
const calls = storeCalls(world);
const LONG = { timeoutMs: 120_000 };

afterAll(() => savePolicies(world));

/** The workflows of one order that were started, the first one first. */
async function flowsOf({ id }: Pick<StoreOrder, "id">) {
  const number = Number(id.slice(id.lastIndexOf("/") + 1));
  const all = (await calls.flows()).toReversed();
  return all.filter(({ payload }) => payload.order_id === number);
}

test("each trigger of an order is started once, with ids only, though Shopify refused at first", async () => {
  await savePolicies(world, { startFlows: "true" });
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const { id } = only(await shopping.requestsWhen(order, 1));
  // What Shopify answers badly while the form is issued and the results arrive is asked again.
  await world.store.setFaults({ graphqlStatus: { status: 503, times: 4 } });
  await buyer.api.giveDetails(id, CANARY_PATIENT);
  await eventually(async () => expect(await flowsOf(order)).toHaveLength(1), LONG);
  const referral = only(
    (await world.service.recentReferrals()).filter(({ metadata }) =>
      Object.values(metadata ?? {}).includes(id),
    ),
  );
  await world.store.setFaults({ graphqlStatus: { status: 503, times: 4 } });
  await world.service.generateResults(referral.uuid);
  await eventually(async () => expect(await flowsOf(order)).toHaveLength(2), LONG);
  const number = Number(order.id.slice(order.id.lastIndexOf("/") + 1));
  const payload = { order_id: number, "Request id": id };
  expect(await flowsOf(order)).toMatchObject([
    { handle: "pathway-referral-issued", payload },
    { handle: "pathway-results-ready", payload },
  ]);
  const said = JSON.stringify(await calls.flows());
  for (const canary of CANARIES) expect(said).not.toContain(canary);
});

test("an order that needs somebody starts its workflow once, however often it is read", async () => {
  const product = await world.store.createProduct({
    title: "Unmapped panel for Flow",
    variants: [{ priceCents: 5_000 }],
  });
  const order = await shopping.buy(await shopping.newShopper(), [[only(product.variants).id, 1]]);
  await eventually(async () => expect(await flowsOf(order)).toHaveLength(1), LONG);
  expect(await flowsOf(order)).toMatchObject([
    { handle: "pathway-attention-needed", payload: { "Request id": "" } },
  ]);
  await world.pages.submit(`/app/orders/${order.id.split("/").at(-1)}`, { intent: "resync" });
  await eventually(async () =>
    expect(await world.sql.count("SELECT count(*) FROM outbox")).toBe(0),
  );
  expect(await flowsOf(order)).toHaveLength(1);
});

test("the workflow of an outage is started with what its trigger declares", async () => {
  const since = "2026-11-25T01:02:03.000Z";
  for (const isOver of [false, true])
    await world.sql.rows(
      z.unknown(),
      `INSERT INTO outbox (shop, name, payload, singleton_key)
       SELECT shop, 'start-outage-flow', jsonb_build_object('shop', shop, 'environment', 'staging', 'since', $1::text, 'isOver', $2::boolean), 'flow ' || $2::text
       FROM shops WHERE shop = $3`,
      [since, isOver, world.line.store.shop],
    );
  const outage = async () =>
    (await calls.flows()).filter(
      ({ handle, payload }) => handle === "pathway-outage" && payload.Since === since,
    );
  await eventually(async () => expect(await outage()).toHaveLength(2), LONG);
  expect(new Set((await outage()).map(({ payload }) => payload.State))).toEqual(
    new Set(["began", "ended"]),
  );
});
