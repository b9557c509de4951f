import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { uninstalledBody } from "./destructive-bodies.ts";
import { inboxState } from "./rows.ts";
import { goShopping, only, type Shopping } from "./shopping.ts";
import { postWebhook } from "./webhook-post.ts";

let world: TestWorld;
let shopping: Shopping;
beforeAll(async () => {
  world = await startWorld();
  shopping = goShopping(world);
}, 120_000);
afterAll(() => world?.stop(), 60_000);

const DESTRUCTIVE = [
  "app/uninstalled",
  "shop/redact",
  "customers/redact",
  "customers/data_request",
  "customers/merge",
];
const OTHER_SHOP = "somebody-else.myshopify.com";

/** What must not change: installs, sessions, what is held of a patient, duties, receipts of erasures. */
const standing = () =>
  world.sql.count(
    `SELECT (SELECT count(*) FROM shops WHERE uninstalled_at IS NULL)
          + (SELECT count(*) FROM sessions) * 100
          + (SELECT count(*) FROM referral_requests WHERE patient_sealed IS NOT NULL) * 10000
          + (SELECT count(*) FROM privacy_duties) * 1000000
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
}, 120_000);

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
    const counted = "SELECT count(*) FROM inbox WHERE refusal = $1";
    expect(await world.sql.count(counted, [refusal])).toBe(1);
  }
  expect(await standing()).toBe(before);
}, 120_000);
