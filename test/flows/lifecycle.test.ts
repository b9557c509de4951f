import { expect, test } from "vitest";
import { eventually, putBack, QUICK_WORLD, shareWorld } from "../harness/index.ts";
import { orderPage, savePolicies } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { uninstalledBody } from "./destructive-bodies.ts";
import { mailTo } from "./mailed-links.ts";
import { dueWork, inboxState, orderOf, requestsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";
import { storeCalls } from "./store-calls.ts";
import { postWebhook } from "./webhook-post.ts";

const world = await shareWorld(QUICK_WORLD);
const shopping = goShopping(world);

/** Lists the calls that the service received, other than from its own web application. */
async function callsOfTheApp() {
  const { calls } = await world.console.stats();
  return Object.entries(calls).filter(([call]) => !call.includes(" /api/"));
}

/** Nothing is left to be done at the moment. */
const settled = () =>
  eventually(async () => expect(await dueWork(world.sql)).toEqual([]), {
    what: "the work to be done",
  });

test("a unit refunded before its details are given is cancelled, and the other goes on", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 2]]);
  await shopping.requestsWhen(order, 2);
  await world.store.refund(order.id, [{ lineItemId: only(order.lines).id, quantity: 1 }]);
  const requests = await eventually(async () => {
    const rows = await requestsOf(world.sql, order.id);
    expect(rows.map(({ state }) => state).sort()).toEqual(["awaiting_details", "cancelled"]);
    return rows;
  });
  const kept = requests.filter(({ state }) => state === "awaiting_details");
  await shopping.giveDetails(buyer, kept);
  await eventually(() => oneReferralEach(world, kept));
  const { referralsByReferenceNumber } = await world.console.stats();
  for (const { referenceNumber } of requests.filter(({ state }) => state === "cancelled"))
    expect(referralsByReferenceNumber[referenceNumber]).toBeUndefined();
  const gone = requests.find(({ state }) => state === "cancelled");
  await expect(buyer.api.giveDetails(gone?.id ?? "", shopping.patient())).rejects.toThrow(/409/);
});

test("a cancelled order asks for nothing any more", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 2]]);
  await shopping.requestsWhen(order, 2);
  await world.store.cancelOrder(order.id);
  await shopping.requestsWhen(order, 2, ({ state }) => expect(state).toBe("cancelled"));
  const { reviewCode, cancelledAt } = await orderOf(world.sql, order.id);
  expect(reviewCode).toBeNull();
  expect(cancelledAt).not.toBeNull();
  const seen = (await buyer.api.requests()).filter(({ orderId }) => orderId === order.id);
  expect(seen.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
});

test("a refund after the referral exists asks first where the shop wants that", async () => {
  await savePolicies(world, { refundPolicy: "ask" });
  putBack(() => savePolicies(world));
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  await world.store.refund(order.id, [{ lineItemId: only(order.lines).id, quantity: 1 }]);
  await shopping.requestsWhen(order, 1, ({ state, reviewReason }) => {
    expect(state).toBe("created");
    expect(reviewReason).toBe("refunded_after_sending");
  });
  const [referral] = await oneReferralEach(world, requests);
  expect(referral?.deletedAt).toBeNull();
  // Nobody goes to a collection centre with a form whose test may be deleted.
  const [seen] = (await buyer.api.requests()).filter(({ orderId }) => orderId === order.id);
  expect(seen).toMatchObject({ state: "needs_support", documents: [] });
  expect((await mailTo(world, buyer.email, /don’t use your form for now/)).text).toContain(
    "deciding",
  );
  await world.pages.submit(orderPage(order), {
    intent: "cancel-request",
    requestId: only(requests).id,
  });
  await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("cancelled"));
  const [deleted] = await oneReferralEach(world, requests);
  expect(deleted?.deletedAt).not.toBeNull();
});

test("an order that is edited gets requests for what was added, once that is paid", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await shopping.requestsWhen(order, 1);
  await world.store.editOrder(order.id, [
    { variantId: shopping.product("bundle").variantId, quantity: 1 },
  ]);
  await settled();
  expect(await requestsOf(world.sql, order.id)).toHaveLength(1);
  await storeCalls(world).payOutstanding(order.id);
  const requests = await shopping.requestsWhen(order, 2);
  expect(new Set(requests.map(({ lineItemId }) => lineItemId)).size).toBe(2);
});

test("an uninstalled shop is left alone, and goes on where it was when it comes back", async () => {
  const buyer = await shopping.newShopper();
  const done = await shopping.buyToForm(buyer);
  const waiting = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const asked = await shopping.requestsWhen(waiting, 1);
  const [referral] = await oneReferralEach(world, done.requests);
  await settled();

  await world.store.uninstall();
  await eventually(async () =>
    expect(await world.sql.count("SELECT count(*) FROM sessions")).toBe(0),
  );
  // A look at the lists that had begun before ends.
  await settled();
  const before = await callsOfTheApp();
  // Other files of this world may have left events that are never delivered.
  const former = new Set((await world.console.deliveries()).map(({ id }) => id));
  // The service goes on telling; nobody asks it anything for a shop that has left.
  await world.console.sendResults(referral?.uuid ?? "");
  await eventually(async () => {
    const told = (await world.console.deliveries()).filter(({ id }) => !former.has(id));
    expect(told).not.toEqual([]);
    for (const { attempts } of told) expect(attempts).not.toEqual([]);
  });
  await settled();
  expect(await callsOfTheApp()).toEqual(before);
  await expect(buyer.api.giveDetails(only(asked).id, shopping.patient())).rejects.toThrow(/404/);

  await world.store.install();
  // A late message of Shopify about the first uninstalling must not end the second install.
  const eventId = `late-${process.pid}`;
  const late = {
    topic: "app/uninstalled",
    body: uninstalledBody(world.line.store.shop),
    eventId,
    triggeredAt: new Date(Date.now() - 60_000),
  };
  expect(await postWebhook(world, late)).toBe(200);
  await eventually(async () => expect(await inboxState(world.sql, eventId)).toBe("done"));
  expect(await world.sql.count("SELECT count(*) FROM sessions")).toBeGreaterThan(0);

  await shopping.giveDetails(buyer, asked);
  const requests = [...done.requests, ...asked];
  await eventually(() => oneReferralEach(world, requests));
  // The event that came meanwhile is made good for.
  await eventually(async () => {
    const own = (await buyer.api.requests()).find(({ orderId }) => orderId === done.order.id);
    expect(own?.state).toBe("results_ready");
  });
});

test("a shop that left and came back has the app with its first opening, though nobody heard that it left", async () => {
  const textsSince = (since: Date) =>
    world.sql.count(
      "SELECT count(*) FROM published_details WHERE value LIKE '{%' AND published_at >= $1",
      [since],
    );
  await settled();
  const written = await textsSince(new Date(0));
  expect(written).toBeGreaterThan(0);
  await world.store.setFaults({ webhooks: { drop: true } });
  await world.store.uninstall();
  const leftAt = new Date();
  await world.store.setFaults({});
  expect(await world.store.install()).toEqual({ status: 200, hasToken: true });
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await shopping.requestsWhen(order, 1);
  // The texts that went with the app are on the pages again.
  await settled();
  expect(await textsSince(leftAt)).toBe(written);

  const eventId = `lost-${process.pid}`;
  const late = {
    topic: "app/uninstalled",
    body: uninstalledBody(world.line.store.shop),
    eventId,
    triggeredAt: leftAt,
  };
  expect(await postWebhook(world, late)).toBe(200);
  await eventually(async () => expect(await inboxState(world.sql, eventId)).toBe("done"));
  expect(await world.sql.count("SELECT count(*) FROM sessions")).toBe(1);
  expect(await world.sql.count("SELECT count(*) FROM shops WHERE uninstalled_at IS NULL")).toBe(1);
});
