import { expect, onTestFinished, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { installedShop } from "../../../../../test/database/seed.ts";
import { readAttention, readOrders, TAB_LIMIT } from "../../read-orders.ts";
import { readSelection } from "../../selection-text.ts";
import { selectedOrders, stageCount } from "./order-selection.ts";

const db = await openTestDatabase();
const ports = { tenancy: db.tenancy, clock: { now: () => START } };

/** 20,000 orders that need somebody: most were refused, every thousandth is held, every five hundredth is not mapped. */
async function busyShop() {
  const shop = await installedShop(db);
  await db.pool.query(
    `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at, order_mode, review_code, reason_code)
     SELECT $1, 'gid://shopify/Order/' || n, '#' || n, $2::timestamptz - n * interval '1 minute', now(), now(), 'staging',
            reason, reason
     FROM generate_series(1, 20000) n, LATERAL (SELECT CASE WHEN n % 500 = 0 THEN 'unmapped_line' END AS reason) own`,
    [shop, START],
  );
  await db.pool.query(
    `INSERT INTO referral_requests (shop, id, environment, order_id, order_paid_at, line_item_id, unit,
       reference_number, title, tests, medicare_tests, state, stage, reason_code, reason_detail, updated_at)
     SELECT $1, gen_random_uuid(), 'staging', 'gid://shopify/Order/' || n, $2::timestamptz - n * interval '1 minute',
       'gid://shopify/LineItem/1', 1, 'R' || n, 'Iron studies', '{}', '{}', state, 'attention', state,
       CASE state WHEN 'rejected' THEN 'X' END, now()
     FROM generate_series(1, 20000) n, LATERAL (SELECT CASE WHEN n % 1000 = 0 THEN 'held' ELSE 'rejected' END AS state) own`,
    [shop, START],
  );
  await db.pool.query("VACUUM ANALYZE referral_requests");
  await db.pool.query("VACUUM ANALYZE orders");
  return shop;
}

test("tabs and reasons are counted to a limit, and a rare reason is found without a walk past the others", async () => {
  const shop = await busyShop();
  const client = await db.pool.connect();
  onTestFinished(() => client.release(true));
  const mostRead = async ({ text, values }: { text: string; values: unknown[] }) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    const plan = JSON.stringify(rows[0]["QUERY PLAN"]);
    const read = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)": ?(\d+)/g)];
    return Math.max(...read.map(([, count]) => Number(count)));
  };
  const orders = await readOrders(ports, {
    shop,
    ...{ ...readSelection(""), start: null, size: 25 },
  });
  expect(orders.counts).toMatchObject({ attention: TAB_LIMIT + 1, cancelled: 0 });
  expect(await mostRead(stageCount(shop, "attention", TAB_LIMIT))).toBeLessThanOrEqual(
    2 * (TAB_LIMIT + 1),
  );

  const all = await readAttention(ports, { shop, start: null, size: 25, reason: null });
  expect(all.reasons.map(({ code }) => code)).toEqual(["rejected", "unmapped_line", "held"]);
  const held = await readAttention(ports, { shop, start: null, size: 25, reason: "held" });
  expect(held.items).toHaveLength(20);
  expect(new Set(held.items.map(({ reason }) => reason.code))).toEqual(new Set(["held"]));
  const unmapped = await readAttention(ports, {
    shop,
    start: null,
    size: 25,
    reason: "unmapped_line",
  });
  expect(unmapped.items).toHaveLength(25);
  const next = { after: unmapped.next ?? "" };
  const rest = await readAttention(ports, { shop, start: next, size: 25, reason: "unmapped_line" });
  expect(rest.items).toHaveLength(15);
  expect(rest.next).toBeNull();
  const query = { ...readSelection("status=attention"), start: null, size: 25, reason: "held" };
  expect(await mostRead(selectedOrders(shop, query))).toBeLessThanOrEqual(52);
}, 120_000);
