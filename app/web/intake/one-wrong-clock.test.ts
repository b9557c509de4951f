/** A message that ends or destroys something, while the clock of the database or of this machine is wrong. */
import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { startSmallStore } from "../../../test/database/small-store.ts";
import { readWebhook } from "../../clients/shopify/read-webhook.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { handleWebhook } from "../../modules/orders/handle-webhook.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLogger } from "../../platform/logger.ts";
import { startIntake, webhookHeaders } from "./testing/start-intake.ts";

const db = await openTestDatabase();
const store = await startSmallStore();
afterAll(() => store.close());
/** How far this machine's clock is ahead of the database's. */
let machineAheadMs = 0;
const machineNow = () => new Date(Date.now() + machineAheadMs);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const whom = { customer: { id: 7, email: null, phone: null } };
const BODIES = {
  "customers/redact": { ...whom, orders_to_redact: [1001] },
  "customers/data_request": { ...whom, orders_requested: [1001], data_request: { id: 9 } },
  "shop/redact": {},
  "app/uninstalled": {
    ...{ id: 1, domain: "shop.example", shop_owner: "O", plan_name: "basic" },
    ...{ plan_display_name: "Basic", iana_timezone: "Australia/Sydney" },
    ...{ money_format: "$", primary_locale: "en" },
  },
};
type Topic = keyof typeof BODIES;
const TOPICS = Object.keys(BODIES) as Topic[];

async function longInstalled(): Promise<ShopDomain> {
  const shop = await installedShop(db);
  await db.pool.query("UPDATE shops SET installed_at = now() - interval '9 days' WHERE shop = $1", [
    shop,
  ]);
  return shop;
}

/** Sends a message over HTTP that Shopify dates so far from the database's time, and works on it. */
async function arrives(shop: ShopDomain, topic: Topic, datedMs: number) {
  const intake = await startIntake(db, { clock: { ...systemClock, machineNow } });
  const named =
    topic === "app/uninstalled" ? { myshopify_domain: shop } : { shop_id: 1, shop_domain: shop };
  const body = JSON.stringify({ ...named, ...BODIES[topic] });
  const headers = webhookHeaders(body, {
    "x-shopify-topic": topic,
    "x-shopify-shop-domain": shop,
    "x-shopify-triggered-at": new Date(Date.now() + datedMs).toISOString(),
  });
  const { status } = await fetch(`${intake.url}/webhooks`, { method: "POST", headers, body });
  expect(status).toBe(200);
  const { rows } = await db.pool.query("SELECT id FROM inbox WHERE shop = $1", [shop]);
  const ports = {
    ...{ tenancy: db.tenancy, clock: systemClock, readMessage: readWebhook },
    ...{ logger: createLogger("silent"), ...store },
  };
  await handleWebhook(ports, { shop, inboxId: String(rows[0].id) });
  const left = await db.pool.query(
    `SELECT state, refusal, (SELECT uninstalled_at IS NULL FROM shops s WHERE s.shop = i.shop) AS installed,
            (SELECT count(*)::int FROM privacy_requests p WHERE p.shop = i.shop) AS asked
     FROM inbox i WHERE shop = $1`,
    [shop],
  );
  return left.rows[0];
}
const acted = (topic: Topic) => ({
  ...{ state: "done", refusal: null },
  ...(topic === "app/uninstalled" ? { installed: false, asked: 0 } : { installed: true, asked: 1 }),
});

test.each(
  TOPICS.flatMap((topic) =>
    [-DAY, -10 * MINUTE, 10 * MINUTE, DAY].flatMap((wrongMs) => [
      { topic, whose: "database", wrongMs, machine: -wrongMs, dated: -wrongMs },
      { topic, whose: "machine", wrongMs, machine: wrongMs, dated: 0 },
    ]),
  ),
)("$topic is acted on where the clock of the $whose alone is wrong by $wrongMs ms", async (at) => {
  const shop = await longInstalled();
  store.status = 401;
  machineAheadMs = at.machine;
  expect(await arrives(shop, at.topic, at.dated)).toEqual(acted(at.topic));
});

test.each([
  { refusal: "too_old", machine: 0, dated: -7 * 60 * MINUTE },
  { refusal: "from_the_future", machine: 0, dated: 10 * MINUTE },
  { refusal: "too_old", machine: DAY, dated: -7 * 60 * MINUTE },
  { refusal: "from_the_future", machine: -DAY, dated: 10 * MINUTE },
])("one whose date neither clock agrees with opens nothing: $refusal", async (at) => {
  const shop = await longInstalled();
  machineAheadMs = at.machine;
  expect(await arrives(shop, "customers/redact", at.dated)).toMatchObject({
    ...{ state: "refused", refusal: at.refusal, asked: 0 },
  });
});
