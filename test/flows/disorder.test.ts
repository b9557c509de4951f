import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually, type StoreOrder, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { documentsOf, orderOf, type RequestRow } from "./rows.ts";
import { goShopping, type Shopper, type Shopping } from "./shopping.ts";

const TIMEOUT = { timeoutMs: 120_000 };

let world: TestWorld;
let shopping: Shopping;
beforeAll(async () => {
  // Events that are dropped are made good for within seconds.
  world = await startWorld({ workers: 1, env: { PATHWAY_SYNC_INTERVAL_MS: "2000" } });
  shopping = goShopping(world);
});
afterEach(() => Promise.all([world.console.setFaults({}), world.store.setFaults({})]));
afterAll(() => world?.stop(), 60_000);

interface Purchase {
  buyer: Shopper;
  order: StoreOrder;
  requests: RequestRow[];
}

/** Several orders of two units each, up to their forms. */
async function buySeveral(count: number): Promise<Purchase[]> {
  const purchases = [];
  for (let index = 0; index < count; index++) {
    const buyer = await shopping.newShopper();
    const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 2]]);
    purchases.push({ buyer, order });
  }
  return Promise.all(
    purchases.map(async ({ buyer, order }) => {
      const requests = await shopping.requestsWhen(order, 2);
      await shopping.giveDetails(buyer, requests);
      return { buyer, order, requests };
    }),
  );
}

/** Each request has one referral, one form, and at last one whole result in one newest report. */
async function carryThrough(purchases: Purchase[]) {
  const requests = purchases.flatMap((purchase) => purchase.requests);
  const referrals = await eventually(() => oneReferralEach(world, requests), TIMEOUT);
  for (const { uuid } of referrals) {
    await world.service.generateResults(uuid, { partial: true });
    await world.service.generateResults(uuid);
  }
  await eventually(async () => {
    for (const { buyer } of purchases)
      for (const { state } of await buyer.api.requests()) expect(state).toBe("results_ready");
  }, TIMEOUT);
  await eventually(async () => {
    for (const { id } of requests) {
      const current = (await documentsOf(world.sql, id)).filter(({ replaced }) => !replaced);
      expect(current.map(({ kind, partial }) => [kind, partial])).toEqual([
        ["referral", false],
        ["result", false],
      ]);
    }
  }, TIMEOUT);
  await oneReferralEach(world, requests);
  for (const { order } of purchases) await shopping.requestsWhen(order, 2);
  const { referralsByReferenceNumber } = await world.console.stats();
  expect(Object.values(referralsByReferenceNumber).every((count) => count === 1)).toBe(true);
}

test("webhooks that come twice, late and in the wrong order change nothing", async () => {
  const webhooks = { duplicate: true, reorder: true, delayMs: 150 };
  await world.store.setFaults({ webhooks });
  await world.console.setFaults({ webhooks });
  const before = (await world.console.stats()).calls["POST /v1/referrals"] ?? 0;
  const purchases = await buySeveral(3);
  await carryThrough(purchases);
  expect((await world.console.stats()).calls["POST /v1/referrals"]).toBe(before + 6);
  // Each piece of news is mailed once, however often its reason was told: form and results of each unit, alone or together.
  // One more mail asks for the details, unless they were given before it left.
  await eventually(async () => {
    const mails = await world.store.mail();
    for (const { buyer, order } of purchases) {
      const subjects = mails
        .filter(({ to, subject }) => to === buyer.email && subject.includes(order.name))
        .map(({ subject }) => subject);
      const asking = subjects.filter((subject) => subject.startsWith("We need"));
      expect(asking.length).toBeLessThanOrEqual(1);
      // So does one for the first half of each result, unless the whole came before it left.
      const partly = subjects.filter((subject) => subject.startsWith("Part of your order"));
      expect(partly.length).toBeLessThanOrEqual(2);
      const telling = subjects.filter((one) => ![...asking, ...partly].includes(one));
      expect(telling.some((subject) => subject.startsWith("There is something new"))).toBe(true);
      expect(telling.length).toBeLessThanOrEqual(4);
      const ofOrder = `FROM notifications n JOIN referral_requests r ON (r.shop, r.id) = (n.shop, n.request_id)
        WHERE r.order_id = $1 AND n.kind IN ('form_ready', 'results_available')`;
      const count = (condition: string) =>
        world.sql.count(`SELECT count(*) ${ofOrder} ${condition}`, [order.id]);
      expect(await count("")).toBe(4);
      // A form that comes to its mail after the results is told no more.
      const untold = "AND n.sent_at IS NULL AND n.kind = 'results_available'";
      expect(await count(untold)).toBe(0);
    }
  });
});

test("events that never come are made good for", async () => {
  await world.console.setFaults({ webhooks: { drop: true } });
  const purchases = await buySeveral(2);
  // The look after the creation is over; nothing but the walk through the list can bring the results.
  await eventually(async () => {
    for (const { buyer } of purchases)
      for (const { state } of await buyer.api.requests()) expect(state).toBe("form_ready");
  }, TIMEOUT);
  await carryThrough(purchases);
  expect(await world.sql.count("SELECT events_repaired FROM connections")).toBeGreaterThan(0);
});

test("a store that fails and throttles is asked again until the order is there", async () => {
  await world.store.setFaults({
    graphqlStatus: { status: 500, times: 1 },
    throttle: 1,
    graphqlLatencyMs: 400,
  });
  const purchases = await buySeveral(2);
  await carryThrough(purchases);
  for (const { order } of purchases)
    expect((await orderOf(world.sql, order.id)).reviewCode).toBeNull();
});

test("a webhook that the store signs wrongly at first is taken at its next delivery", async () => {
  await world.store.setFaults({ webhooks: { badHmac: 3 } });
  const purchases = await buySeveral(1);
  const deliveries = await world.store.deliveries();
  expect(deliveries.some(({ attempts }) => attempts[0]?.status === 401)).toBe(true);
  await carryThrough(purchases);
});

test("an order whose first webhook never came is met with its next one", async () => {
  await world.store.setFaults({ webhooks: { drop: true } });
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 3]]);
  await eventually(async () => {
    const deliveries = await world.store.deliveries();
    expect(deliveries[0]).toMatchObject({ topic: "orders/paid", dropped: true });
  });
  await world.store.setFaults({});
  const [line] = order.lines;
  await world.store.refund(order.id, [{ lineItemId: line?.id ?? "", quantity: 1 }]);
  const requests = await shopping.requestsWhen(order, 2);
  await shopping.giveDetails(buyer, requests);
  await carryThrough([{ buyer, order, requests }]);
});
