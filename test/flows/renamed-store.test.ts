import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { setUp } from "../../sandbox/world/journey/set-up.ts";
import { eventually, QUICK_WORLD, type StoreOrder, startWorld } from "../harness/index.ts";
import { readMetrics, sampleOf } from "../harness/metrics.ts";
import { orderPage, savePolicies } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { goShopping, only, type Shopper } from "./shopping.ts";
import { nothingIsShown } from "./staff-addresses.ts";
import { storeCalls } from "./store-calls.ts";
import { postWebhook } from "./webhook-post.ts";

// A world of its own: the store of a shared one keeps its name.
const world = await startWorld(QUICK_WORLD);
afterAll(() => world.stop(), 60_000);
const shopping = goShopping(world);
const RENAMED = "renamed.myshopify.com";

const shopRow = z.object({ shop: z.string(), storeId: z.string().nullable(), held: z.boolean() });
const shops = () =>
  world.sql.rows(
    shopRow,
    `SELECT shop, store_id AS "storeId", hold_orders AS held FROM shops ORDER BY installed_at`,
  );

const reasonUnder = async (shop: string, orderId: string) => {
  const [row] = await world.sql.rows(
    z.object({ code: z.string().nullable() }),
    "SELECT review_code AS code FROM orders WHERE shop = $1 AND order_id = $2",
    [shop, orderId],
  );
  return row?.code;
};

const referralsAtService = async () =>
  Object.values((await world.console.stats()).referralsByReferenceNumber).reduce(
    (sum, count) => sum + count,
    0,
  );

/** How often the processes counted the doubt, which their log names with the shop. */
async function toldOperators(): Promise<number> {
  const { app, workers } = world.line.admin_urls;
  const counts = [app, ...workers].map(async (url) => {
    const samples = readMetrics(await (await fetch(`${url}/metrics`)).text());
    const code = "store_has_other_name";
    return sampleOf(samples, "pathway_stores_in_doubt_total", { code }) ?? 0;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** An order whose referral was created, and whose form is out once its patient is verified; the store is told of that. */
async function buyWithoutForm(buyer: Shopper) {
  const { required, optional } = await world.store.scopes();
  await world.store.chooseScopes([...required, ...optional]);
  await eventually(async () =>
    expect(
      await world.sql.count("SELECT count(*) FROM shops WHERE scope LIKE '%write_orders%'"),
    ).toBe(1),
  );
  await savePolicies(world, { tagOrders: "true", markFulfilled: "true", startFlows: "true" });
  await world.console.changeOrganisation({ requirePatientVerification: true });
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await shopping.giveDetails(buyer, await shopping.requestsWhen(order, 1));
  const requests = await shopping.requestsWhen(order, 1, ({ state }) =>
    expect(state).toBe("created"),
  );
  const { uuid } = only(await oneReferralEach(world, requests));
  await world.console.changeOrganisation({ requirePatientVerification: false });
  expect(await toldOf(order)).toEqual(NOTHING_TOLD);
  return { order, uuid };
}

const NOTHING_TOLD = { tags: [], status: "UNFULFILLED", flows: [] };

/** The marks of a form that is out; others may be there. */
async function toldOf({ id }: Pick<StoreOrder, "id">) {
  const { tags, fulfillmentStatus } = await world.store.order(id);
  const flows = (await storeCalls(world).flows())
    .filter(({ payload }) => payload.order_id === Number(id.split("/").at(-1)))
    .map(({ handle }) => handle);
  return {
    tags: z
      .array(z.string())
      .parse(tags)
      .filter((tag) => tag === "pathway-form-issued"),
    status: fulfillmentStatus,
    flows: flows.filter((handle) => handle === "pathway-referral-issued"),
  };
}

/** Jobs that tell the store, and that Shopify has refused once at least. */
const triesToTell = () =>
  world.sql.count(
    "SELECT count(*) FROM pgboss.job WHERE name = 'publish-order-status' AND state = 'retry'",
  );

test("a store that changes its name orders nothing a second time, and is held until the merchant goes on", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer, 1, "tests");
  await oneReferralEach(world, requests);
  const untold = await buyWithoutForm(buyer);
  const former = only(await shops());
  expect(former.storeId).toMatch(/^gid:\/\/shopify\/Shop\/\d+$/);
  const before = await referralsAtService();

  await storeCalls(world).rename(RENAMED);
  const number = Number(order.id.slice(order.id.lastIndexOf("/") + 1));
  const body = JSON.stringify({ id: number, admin_graphql_api_id: order.id });
  expect(await postWebhook(world, { topic: "orders/updated", body, shop: RENAMED })).toBe(200);
  // Shopify knows nobody by the former name, and the present one has no session yet.
  await world.console.verifyReferral(untold.uuid);
  await eventually(async () => expect(await triesToTell()).toBeGreaterThanOrEqual(3), {
    what: "tag, fulfilment and workflow are tried",
    timeoutMs: 90_000,
  });
  expect(await toldOf(untold.order)).toEqual(NOTHING_TOLD);
  const { app_url: appUrl, ...line } = world.line;
  await setUp({ ...line, appUrl }, { step: (_name, act) => act() });

  await eventually(async () => expect(await reasonUnder(RENAMED, order.id)).toBe("other_name"), {
    what: "the order under the new name",
    timeoutMs: 90_000,
  });
  expect(await shops()).toEqual([
    { ...former, held: false },
    { shop: RENAMED, storeId: former.storeId, held: true },
  ]);
  // By the present name's session, each once.
  await eventually(
    async () =>
      expect(await toldOf(untold.order)).toEqual({
        ...{
          tags: ["pathway-form-issued"],
          status: "FULFILLED",
          flows: ["pathway-referral-issued"],
        },
      }),
    { what: "what the store is told", timeoutMs: 120_000 },
  );
  await eventually(async () => expect(await triesToTell()).toBe(0), { timeoutMs: 90_000 });
  expect((await toldOf(untold.order)).flows).toEqual(["pathway-referral-issued"]);
  expect(await reasonUnder(former.shop, untold.order.id)).toBeNull();
  await shopping.requestsWhen(order, 1);
  expect(await world.pages.open("/app")).toContain("under another .myshopify.com name");
  expect(await world.pages.open("/app/attention")).toContain("aren’t ordered again");
  await eventually(async () => expect(await toldOperators()).toBeGreaterThanOrEqual(1));

  // A test that is bought under the new name waits for a person, and is ordered once.
  const next = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const asked = await shopping.requestsWhen(next, 1);
  await shopping.giveDetails(buyer, asked);
  await shopping.requestsWhen(next, 1, ({ state }) => expect(state).toBe("held"));
  expect(await referralsAtService()).toBe(before);
  await world.pages.submit(orderPage(next), { intent: "release", requestId: only(asked).id });
  await eventually(() => oneReferralEach(world, asked));

  await savePolicies(world);
  const last = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const opened = await shopping.requestsWhen(last, 1);
  await shopping.giveDetails(buyer, opened);
  await eventually(() => oneReferralEach(world, opened), { what: "a referral", timeoutMs: 90_000 });
  expect(await world.pages.open("/app")).not.toContain("under another .myshopify.com name");
  expect(await referralsAtService()).toBe(before + 2);
  await oneReferralEach(world, requests);

  // Another store takes the former name. Nothing has told its id yet when its staff first come.
  const other = await storeCalls(world).openShop(former.shop);
  await other.install();
  await nothingIsShown(world, {
    token: () => storeCalls(world).staffToken(former.shop),
    orderId: order.id,
    answers: { status: 403, words: "Another store used Pathway" },
  });
  expect(await world.sql.count("SELECT count(*) FROM shops WHERE other_store_id IS NOT NULL")).toBe(
    1,
  );
  // The store that was renamed goes on.
  expect(await world.pages.open("/app/referrals")).toContain(order.name);

  // It leaves, and another store takes that name too, before Shopify asks for the erasure.
  await storeCalls(world).uninstall(RENAMED);
  const rowOf = async () => {
    const text = `SELECT uninstalled_at IS NOT NULL AS "hasLeft", other_store_id AS other, store_id AS "storeId",
      (SELECT count(*)::int FROM sessions WHERE shop = $1) AS sessions FROM shops WHERE shop = $1`;
    return (await world.sql.rows(leftRow, text, [RENAMED]))[0];
  };
  await eventually(async () => expect(await rowOf()).toMatchObject({ hasLeft: true }));
  await storeCalls(world).rename("third.myshopify.com", RENAMED);
  const later = await storeCalls(world).openShop(RENAMED);
  await later.install();
  await nothingIsShown(world, {
    token: () => storeCalls(world).staffToken(RENAMED),
    orderId: next.id,
    answers: { status: 403, words: "Another store used Pathway" },
    paths: ["/app", "/app/referrals"],
  });
  expect(await rowOf()).toEqual({
    ...{ hasLeft: true, other: later.id, storeId: former.storeId, sessions: 0 },
  });
  const redaction = async (storeId: string | null) => {
    const shop_id = Number(storeId?.split("/").at(-1));
    const body = JSON.stringify({ shop_id, shop_domain: RENAMED });
    await postWebhook(world, { topic: "shop/redact", body, shop: RENAMED });
  };
  // The other store's own is about none of these rows.
  await redaction(later.id);
  await eventually(async () =>
    expect(await world.sql.count("SELECT count(*) FROM inbox WHERE refusal = 'other_store'")).toBe(
      1,
    ),
  );
  await redaction(former.storeId);
  await eventually(async () => expect(await rowOf()).toBeUndefined());
  await later.install();
  expect(await rowOf()).toEqual({
    ...{ hasLeft: false, other: null, storeId: later.id, sessions: 1 },
  });
});

const leftRow = z.object({
  hasLeft: z.boolean(),
  other: z.string().nullable(),
  storeId: z.string().nullable(),
  sessions: z.number(),
});
