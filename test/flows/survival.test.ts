import { afterEach, expect, test } from "vitest";
import { eventually, QUICK_WORLD, type StoreOrder, shareWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { type RequestRow, requestsOf } from "./rows.ts";
import { goShopping, only, type Shopper } from "./shopping.ts";

/** A dead process's jobs are taken over within 15 s, an overdue attempt after some twenty. */
const TIMEOUT = { timeoutMs: 120_000 };

const world = await shareWorld(QUICK_WORLD);
const shopping = goShopping(world);
afterEach(() => world.console.setFaults({}));

async function killTheApp(): Promise<void> {
  const { app } = await world.processes();
  process.kill(app, "SIGKILL");
}

const appAnswers = () =>
  eventually(
    async () => expect((await fetch(`${world.line.app_url}/healthz`)).status).toBe(200),
    TIMEOUT,
  );

/** How many webhooks of paid orders the app has acknowledged. */
async function acknowledged(): Promise<number> {
  const deliveries = await world.store.deliveries();
  return deliveries.filter(({ topic, status }) => topic === "orders/paid" && status === 200).length;
}

const buyOne = async (buyer: Shopper): Promise<StoreOrder> =>
  shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);

interface Purchase {
  buyer: Shopper;
  order: StoreOrder;
}

/** Gives details for each order's unit and waits until each has exactly one referral and its form. */
async function carryThrough(purchases: Purchase[]) {
  const requests: RequestRow[] = [];
  for (const { buyer, order } of purchases) {
    const asked = await shopping.requestsWhen(order, 1, undefined, TIMEOUT.timeoutMs);
    await shopping.giveDetails(buyer, asked);
    requests.push(only(asked));
  }
  await eventually(() => oneReferralEach(world, requests), TIMEOUT);
  await eventually(async () => {
    for (const { buyer } of purchases)
      for (const { state } of await buyer.api.requests()) expect(state).toBe("form_ready");
  }, TIMEOUT);
  await oneReferralEach(world, requests);
}

test("an order that was acknowledged survives the death of the app", async () => {
  const purchases: Purchase[] = [];
  for (let round = 0; round < 2; round++) {
    const buyer = await shopping.newShopper();
    const before = await acknowledged();
    purchases.push({ buyer, order: await buyOne(buyer) });
    await eventually(async () => expect(await acknowledged()).toBe(before + 1), {
      intervalMs: 1,
      ...TIMEOUT,
    });
    await killTheApp();
    await appAnswers();
  }
  await carryThrough(purchases);
});

test("a create call that outlives the app is found again, not made again", async () => {
  await world.console.setFaults({ createDelayMs: 1_500 });
  const buyer = await shopping.newShopper();
  const order = await buyOne(buyer);
  const asked = await shopping.requestsWhen(order, 1);
  // Looked for from before it can be, since it lasts no longer than the call.
  await Promise.all([
    shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("sending")),
    shopping.giveDetails(buyer, asked),
  ]);
  await killTheApp();
  await appAnswers();
  const sent = await shopping.requestsWhen(
    order,
    1,
    ({ state }) => expect(state).toBe("created"),
    TIMEOUT.timeoutMs,
  );
  await oneReferralEach(world, sent);
});

test("the app's death between details, events and results loses none of them", async () => {
  const purchases: Purchase[] = [];
  for (let index = 0; index < 4; index++) {
    const buyer = await shopping.newShopper();
    purchases.push({ buyer, order: await buyOne(buyer) });
  }
  const asked: RequestRow[] = [];
  for (const { order } of purchases) asked.push(only(await shopping.requestsWhen(order, 1)));
  for (const [index, { buyer }] of purchases.entries()) {
    const request = asked[index];
    if (request) await shopping.giveDetails(buyer, [request]);
  }
  await killTheApp();
  const referrals = await eventually(() => oneReferralEach(world, asked), TIMEOUT);
  for (const { uuid } of referrals) await world.service.generateResults(uuid);
  await killTheApp();
  await appAnswers();
  await eventually(async () => {
    for (const { buyer } of purchases)
      expect((await buyer.api.requests()).map(({ state }) => state)).toEqual(["results_ready"]);
  }, TIMEOUT);
  await oneReferralEach(world, asked);
});

test("a burst of orders survives the loss of every database connection", async () => {
  const cutOff = () =>
    world.sql.count(
      `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
       WHERE pid <> pg_backend_pid() AND datname = current_database() AND backend_type = 'client backend'`,
    );
  const purchases: Purchase[] = [];
  let cut = 0;
  for (let index = 0; index < 12; index++) {
    const buyer = await shopping.newShopper();
    purchases.push({ buyer, order: await buyOne(buyer) });
    if (index % 4 === 2) cut += await cutOff();
  }
  expect(cut).toBeGreaterThan(0);
  await eventually(async () => {
    for (const { order } of purchases)
      expect(await requestsOf(world.sql, order.id)).toHaveLength(1);
  }, TIMEOUT);
  await carryThrough(purchases);
  for (const { order } of purchases) expect(await requestsOf(world.sql, order.id)).toHaveLength(1);
});
