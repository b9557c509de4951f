import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { type ShopDomain, shopDomain } from "../kernel/ids.ts";
import { cleanUp } from "./clean-up.ts";

const db = await openTestDatabase();
const NOW = new Date("2026-11-24T10:00:00Z");
const ports = { tenancy: db.tenancy, clock: { now: () => NOW } };
let shop: ShopDomain;
beforeEach(async () => {
  shop = await installedShop(db);
});

const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const count = async (table: string, of = shop) =>
  Number(
    (await db.pool.query(`SELECT count(*) FROM ${table} WHERE shop = $1`, [of])).rows[0].count,
  );

async function putMessage(days: number, { topic = "orders/paid", state = "done", of = shop } = {}) {
  await db.pool.query(
    `INSERT INTO inbox (shop, source, topic, event_id, received_at, state) VALUES ($1, 'shopify', $2, $3, $4, $5)`,
    [of, topic, randomUUID(), daysAgo(days), state],
  );
}
const putTicket = (days: number, of = shop) =>
  db.pool.query("INSERT INTO export_tickets VALUES ($1, $2, 'gid://shopify/Customer/1', $3)", [
    ...[of, Buffer.from(randomUUID()), daysAgo(days)],
  ]);
async function putLink(days: number) {
  const id = randomUUID();
  await db.pool.query(
    `INSERT INTO patient_links (shop, id, token_hash, request_id, kind, expires_at) VALUES ($1, $2, $3, $4, 'guest', $5)`,
    [shop, id, Buffer.from(id), randomUUID(), daysAgo(days)],
  );
  await db.pool.query(
    "INSERT INTO patient_sessions (shop, secret_hash, link_id, expires_at) VALUES ($1, $2, $3, $4)",
    [shop, Buffer.from(id), id, daysAgo(days)],
  );
}
async function putBatch(days: number | null, items: number) {
  const id = randomUUID();
  await db.pool.query(
    `INSERT INTO batches (shop, id, kind, action, actor, state, created_at, finished_at)
     VALUES ($1, $2, 'order_action', 'resync', 'staff:1', $3, $4, $5)`,
    [
      shop,
      id,
      days === null ? "running" : "done",
      daysAgo(200),
      days === null ? null : daysAgo(days),
    ],
  );
  await db.pool.query(
    "INSERT INTO batch_items (shop, batch_id, position) SELECT $1, $2, generate_series(1, $3::int)",
    [shop, id, items],
  );
}

test("deletes handled messages after 90 days, and keeps those that destroy, and those that wait", async () => {
  for (const days of [200, 91, 89]) await putMessage(days);
  await putMessage(200, { topic: "customers/redact" });
  await putMessage(200, { state: "parked" });
  expect(await cleanUp(ports, shop)).toBe(2);
  expect(await count("inbox")).toBe(3);
  expect(await cleanUp(ports, shop)).toBe(0);
});

test("deletes messages that were refused, whatever their topic, so that a thief of one fills no table for good", async () => {
  for (const state of ["refused", "unreadable"])
    for (const days of [91, 89]) await putMessage(days, { topic: "shop/redact", state });
  await putMessage(91, { topic: "shop/redact", state: "received" });
  expect(await cleanUp(ports, shop)).toBe(2);
  expect(await count("inbox")).toBe(3);
});

test("deletes all messages of a shop of which nothing else is here, since there is nothing to destroy", async () => {
  const stranger = shopDomain(`stranger-${randomUUID()}.myshopify.com`);
  if (!stranger) throw new Error("no shop");
  await putMessage(91, { of: stranger, topic: "shop/redact" });
  await putMessage(91, { of: stranger, state: "parked" });
  await putMessage(91, { of: stranger, state: "received" });
  await putMessage(89, { of: stranger });
  expect(await cleanUp(ports, stranger)).toBe(2);
  expect(await count("inbox", stranger)).toBe(2);
});

test("reaches messages behind thousands that are kept", async () => {
  await db.pool.query(
    `INSERT INTO inbox (shop, source, topic, event_id, received_at, state)
     SELECT $1, 'shopify', 'app/uninstalled', n::text, $2, 'done' FROM generate_series(1, 6000) n`,
    [shop, daysAgo(200)],
  );
  await putMessage(200);
  expect(await cleanUp(ports, shop)).toBe(1);
  expect(await count("inbox")).toBe(6_000);
});

test("deletes shares with their passcodes 90 days after they ended or were ended", async () => {
  const put = (ended: number, revoked: number | null) =>
    db.pool.query(
      `INSERT INTO result_shares (shop, id, request_id, result_uuid, token_hash, secret_sealed, owner, released_at, expires_at, revoked_at)
       VALUES ($1, $2, $2, $2, $3, 'x', 'buyer', $4, $4, $5)`,
      [shop, randomUUID(), Buffer.from(randomUUID()), daysAgo(ended), revoked && daysAgo(revoked)],
    );
  await put(91, null);
  await put(-10, 91);
  await put(89, null);
  await put(-10, null);
  await put(-10, 89);
  expect(await cleanUp(ports, shop)).toBe(2);
  expect(await count("result_shares")).toBe(3);
});

test("deletes sessions and tickets a day after their end, and links after 90 days", async () => {
  for (const days of [100, 2, 0]) await putLink(days);
  for (const days of [2, 0]) await putTicket(days);
  await cleanUp(ports, shop);
  expect(await count("patient_links")).toBe(2);
  expect(await count("patient_sessions")).toBe(1);
  expect(await count("export_tickets")).toBe(1);
});

test("deletes finished batches with their items in turns of a thousand, and none that runs", async () => {
  await putBatch(100, 2_500);
  await putBatch(10, 1);
  await putBatch(null, 1);
  expect(await cleanUp(ports, shop)).toBe(2_501);
  expect([await count("batches"), await count("batch_items")]).toEqual([2, 2]);
});

test("leaves another shop's rows alone", async () => {
  const other = await installedShop(db);
  await putMessage(200, { of: other });
  await putTicket(200, other);
  expect(await cleanUp(ports, shop)).toBe(0);
  expect([await count("inbox", other), await count("export_tickets", other)]).toEqual([1, 1]);
});
