import { afterAll, expect, test } from "vitest";
import { QUICK_WORLD, SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { orderPage, savePolicies } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { timelineOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";

type Risk = Parameters<typeof world.store.assess>[1];
const world = await shareWorld(QUICK_WORLD);
const shopping = goShopping(world);
afterAll(() => savePolicies(world, { highRiskOrders: "hold" }));

/** An order of that assessment, whose patient is known. */
async function buy(risk: Risk) {
  const buyer = await shopping.newShopper();
  const order = await world.store.createOrder({
    customerId: buyer.id,
    lines: [{ variantId: shopping.product("bundle").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
    risk,
  });
  const requests = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, requests);
  return { order, requests, id: only(requests).id };
}

const when = (order: { id: string }, state: string, reviewReason: string | null) =>
  shopping.requestsWhen(order, 1, (request) =>
    expect(request).toMatchObject({ state, reviewReason }),
  );

test("holds a high-risk order, says why, and sends it once a person releases it", async () => {
  const { order, requests, id } = await buy("HIGH");
  await when(order, "held", "high_risk");
  expect(await world.pages.open(orderPage(order))).toContain(
    "Shopify assesses this order as high-risk",
  );
  const { referralsByReferenceNumber } = await world.console.stats();
  expect(referralsByReferenceNumber[only(requests).referenceNumber]).toBeUndefined();
  await world.pages.submit(orderPage(order), { intent: "release", requestId: id });
  await when(order, "created", null);
  await oneReferralEach(world, requests);
  expect(await timelineOf(world.sql, id)).toEqual(
    expect.arrayContaining(["risk_held", "request_released", "create_succeeded"]),
  );
});

test.each(["LOW", "MEDIUM", "NONE"] as const)(
  "holds while the assessment is pending, and goes on by itself when it is %s",
  async (risk) => {
    const { order, requests } = await buy("PENDING");
    await when(order, "held", "risk_pending");
    await world.store.assess(order.id, risk);
    await when(order, "created", null);
    await oneReferralEach(world, requests);
  },
);

test("reads the assessment just before sending: one that became high since the payment holds", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
  const requests = await shopping.requestsWhen(order, 1);
  await world.store.setFaults({ webhooks: { drop: true } });
  await world.store.assess(order.id, "HIGH");
  await shopping.giveDetails(buyer, requests);
  await when(order, "held", "high_risk");
  await world.store.setFaults({});
  await world.store.assess(order.id, "PENDING");
  await when(order, "held", "risk_pending");
  await world.store.assess(order.id, "HIGH");
  await when(order, "held", "high_risk");
});

test("sends nothing while Shopify does not say what it thinks of the order", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
  const requests = await shopping.requestsWhen(order, 1);
  await world.store.setFaults({ graphqlStatus: { status: 503, times: 4 } });
  await shopping.giveDetails(buyer, requests);
  // Not sent, and not given up: the job is done again when Shopify answers.
  await when(order, "created", null);
  expect(await timelineOf(world.sql, only(requests).id)).not.toContain("risk_held");
  await oneReferralEach(world, requests);
});

test("orders the tests of a high-risk order in a shop that wants that", async () => {
  await savePolicies(world, { highRiskOrders: "order" });
  const { order, requests } = await buy("HIGH");
  await when(order, "created", null);
  await oneReferralEach(world, requests);
  await savePolicies(world, { highRiskOrders: "hold" });
});
