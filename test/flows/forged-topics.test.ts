import { expect, test } from "vitest";
import { z } from "zod";
import { eventually, shareWorld } from "../harness/index.ts";
import { uninstalledBody } from "./destructive-bodies.ts";
import { dueWork, inboxState } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";
import { postWebhook } from "./webhook-post.ts";

const world = await shareWorld();
const shopping = goShopping(world);
// Work that files before this one began may still end or destroy something.
await eventually(async () => expect(await dueWork(world.sql)).toEqual([]), { timeoutMs: 120_000 });

const DESTRUCTIVE = [
  "app/uninstalled",
  "shop/redact",
  "customers/redact",
  "customers/data_request",
  "customers/merge",
];
const OTHER_SHOP = "somebody-else.myshopify.com";

/**
 * Reads what must not change: installs, sessions, what is held of a patient, privacy requests, receipts of erasures.
 */
const standing = () =>
  world.sql.count(
    `SELECT (SELECT count(*) FROM shops WHERE uninstalled_at IS NULL)
          + (SELECT count(*) FROM sessions) * 100
          + (SELECT count(*) FROM referral_requests WHERE patient_sealed IS NOT NULL) * 10000
          + (SELECT count(*) FROM privacy_requests) * 1000000
          + (SELECT count(*) FROM erasures) * 1000000`,
  );

test("an order’s signed body under a destructive topic ends and destroys nothing, in either shop", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const before = await standing();
  const body = JSON.stringify({
    id: Number(order.id.slice(order.id.lastIndexOf("/") + 1)),
    admin_graphql_api_id: order.id,
    customer: { id: 1 },
    line_items: [],
  });
  for (const shop of [world.line.store.shop, OTHER_SHOP])
    for (const topic of DESTRUCTIVE) {
      const eventId = `forged ${topic} ${shop}`;
      expect(await postWebhook(world, { topic, body, shop, eventId })).toBe(200);
      await eventually(async () => expect(await inboxState(world.sql, eventId)).toBe("unreadable"));
    }
  expect(await standing()).toBe(before);
  const own = (await buyer.api.requests()).map(({ id }) => id);
  expect(own).toContain(only(requests).id);
});

test("an uninstall that the store does not confirm is refused, and counted with its code", async () => {
  const before = await standing();
  const { shop } = world.line.store;
  const posts = [
    ["not_confirmed", { body: uninstalledBody(shop) }],
    ["other_shop", { body: uninstalledBody(OTHER_SHOP) }],
  ] as const;
  for (const [refusal, { body }] of posts) {
    const eventId = `refused ${refusal}`;
    expect(await postWebhook(world, { topic: "app/uninstalled", body, eventId })).toBe(200);
    await eventually(async () => expect(await inboxState(world.sql, eventId)).toBe("refused"));
    const counted = "SELECT count(*) FROM inbox WHERE event_id = $1 AND refusal = $2";
    expect(await world.sql.count(counted, [eventId, refusal])).toBe(1);
  }
  expect(await standing()).toBe(before);
});

test("a body that came under one topic is not believed under another, and the merchant is told", async () => {
  const before = await standing();
  const body = uninstalledBody(world.line.store.shop);
  const post = async (topic: string, eventId: string, state: string) => {
    expect(await postWebhook(world, { topic, body, eventId })).toBe(200);
    await eventually(async () => expect(await inboxState(world.sql, eventId)).toBe(state));
  };
  await post("shop/update", "first as another topic", "done");
  await post("app/uninstalled", "then as an uninstall", "refused");
  const counted = "SELECT count(*) FROM inbox WHERE event_id = $1 AND refusal = 'seen_before'";
  expect(await world.sql.count(counted, ["then as an uninstall"])).toBe(1);
  expect(await standing()).toBe(before);
  expect(await world.pages.open("/app")).toContain("were refused in the last 24 hours");
});

test("a token's signing input with its own signature is no webhook", async () => {
  const token = await world.store.customerToken((await shopping.newShopper()).id);
  const [head, claims] = token.split(".");
  const answer = await postWebhook(world, { topic: "orders/paid", body: `${head}.${claims}` });
  expect(answer).toBe(400);
});

test("genuine bodies destroy nothing under any other topic, from any other shop, at any other time", async () => {
  const buyer = await shopping.newShopper();
  await shopping.buyToForm(buyer);
  const { shop } = world.line.store;
  const customer = (id: string) => `gid://shopify/Customer/${id}`;
  const own = buyer.id.split("/").at(-1) ?? "";
  const bodies: Record<string, string> = {
    "app/uninstalled": uninstalledBody(shop),
    "shop/redact": JSON.stringify({ shop_id: 1, shop_domain: OTHER_SHOP }),
    "customers/redact": JSON.stringify({
      ...{ shop_id: 1, shop_domain: OTHER_SHOP },
      ...{ customer: { id: Number(own) }, orders_to_redact: [] },
    }),
    "customers/merge": JSON.stringify({
      admin_graphql_api_customer_kept_id: customer("1"),
      admin_graphql_api_customer_deleted_id: customer(own),
      ...{ admin_graphql_api_job_id: null, status: "completed", errors: [] },
    }),
  };
  const before = await standing();
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000);
  const posts = Object.values(bodies).flatMap((body) =>
    DESTRUCTIVE.flatMap((topic) =>
      [shop, OTHER_SHOP].flatMap((from) =>
        [hours(0), hours(-7), hours(1)].map((triggeredAt) => ({
          ...{ topic, body, shop: from, triggeredAt },
        })),
      ),
    ),
  );
  for (const [n, post] of posts.entries()) {
    // Another shop's own words about itself are that shop's affair, and it is not installed here.
    if (post.shop === OTHER_SHOP && post.body.includes(OTHER_SHOP)) continue;
    expect(await postWebhook(world, { ...post, eventId: `matrix ${n}` })).toBe(200);
  }
  // Named, so that a failure tells which of them was believed, or still waits. A merge states no shop: another shop's is
  // that shop's affair too, and taken down as such when every copy of the body under another topic is refused by then.
  const open = () =>
    world.sql.rows(
      z.object({ message: z.string() }),
      `SELECT concat_ws(' ', event_id, shop, topic, state) AS message FROM inbox
       WHERE event_id LIKE 'matrix %' AND state NOT IN ('refused', 'unreadable')
         AND (shop, topic, state) <> ($1, 'customers/merge', 'done')`,
      [OTHER_SHOP],
    );
  await eventually(async () => expect(await open()).toEqual([]), { timeoutMs: 120_000 });
  expect(await standing()).toBe(before);
  const owner = "SELECT count(*) FROM referral_requests WHERE customer_id = $1";
  expect(await world.sql.count(owner, [buyer.id])).toBeGreaterThan(0);
});
