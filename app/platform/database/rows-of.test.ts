import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { assignments, columnsOf, rowsOf } from "./rows-of.ts";
import type { Transaction } from "./transactions.ts";

const db = await openTestDatabase();

const SHOP = "one.myshopify.com";
const ID = "11111111-1111-4111-8111-111111111111";

/** Fields and the columns that the schema gives them. */
const MAPPED = [
  ...readFileSync(new URL("../../../prisma/schema.prisma", import.meta.url), "utf8").matchAll(
    /^ {2}(\w+) .*@map\("(\w+)"\)/gm,
  ),
].map(([, field = "", column = ""]) => [field, column]);

test("the column of each field of the schema is named by one rule", () => {
  expect(MAPPED.length).toBeGreaterThan(200);
  for (const [field = "", column] of MAPPED)
    expect(columnsOf([field])).toBe(`"${column}" AS "${field}"`);
});

test("rows are as Prisma gives them", async () => {
  await db.pool.query(
    `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial, snapshot_sealed,
                          service_updated_at, fetched_at, held_at)
     VALUES ($1, $2, 'staging', $2, $2, 'FINAL', true, '\\x00ff', '2026-11-26T01:02:03.456789Z', now(), NULL)`,
    [SHOP, ID],
  );
  await db.pool.query(
    `INSERT INTO inbox (shop, source, topic, event_id, body_sealed) VALUES ($1, 'shopify', 'orders/paid', 'a', '\\x01')`,
    [SHOP],
  );
  await db.pool.query(
    `INSERT INTO alert_mails (shop, id, kind, occurrence, recipient, facts, noted_at)
     VALUES ($1, $2, 'daily', '', '\\x', '{"a": [1, null]}', now())`,
    [SHOP, ID],
  );
  await db.pool.query("INSERT INTO shops (shop, reminder_days) VALUES ($1, '{3,5}')", [SHOP]);
  const both = await db.transactions.run(async (tx) => {
    const here = Prisma.sql`shop = ${SHOP}`;
    const read = (table: string, fields: object) =>
      rowsOf<Record<string, unknown>>(table, Object.values(fields))(tx, here);
    const written = [
      ...(await read("results", Prisma.ResultScalarFieldEnum)),
      ...(await read("inbox", Prisma.InboxEntryScalarFieldEnum)),
      ...(await read("alert_mails", Prisma.AlertMailScalarFieldEnum)),
      ...(await read("shops", Prisma.ShopScalarFieldEnum)),
    ];
    const asked = [
      ...(await tx.result.findMany()),
      ...(await tx.inboxEntry.findMany()),
      ...(await tx.alertMail.findMany()),
      ...(await tx.shop.findMany()),
    ];
    return { written, asked };
  });
  expect(both.written).toHaveLength(4);
  expect(both.written.map(plain)).toEqual(both.asked.map(plain));
});

test("what is not given keeps its column, and null empties it", async () => {
  await db.pool.query(
    "INSERT INTO shops (shop, name, help_email) VALUES ('two.myshopify.com', 'a', 'b')",
  );
  await db.transactions.run(
    (tx: Transaction) => tx.$executeRaw`
      UPDATE shops SET ${assignments({ name: undefined, helpEmail: null, helpPhone: "c" })}
      WHERE shop = 'two.myshopify.com'`,
  );
  const { rows } = await db.pool.query(
    "SELECT name, help_email, help_phone FROM shops WHERE shop = 'two.myshopify.com'",
  );
  expect(rows).toEqual([{ name: "a", help_email: null, help_phone: "c" }]);
});

/** Bytes come as a Buffer, which is one kind of array of bytes. */
const plain = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      value instanceof Uint8Array ? [...value] : value,
    ]),
  );
