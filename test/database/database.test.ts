import { expect, test } from "vitest";
import { openTestDatabase } from "./database.ts";

const first = await openTestDatabase();
const second = await openTestDatabase();

test("each copy is migrated, empty and its own", async () => {
  await first.pool.query("INSERT INTO shops (shop) VALUES ('one.myshopify.com')");
  const count = async ({ pool }: typeof first) =>
    (await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM shops")).rows[0]?.n;
  expect(await count(first)).toBe(1);
  expect(await count(second)).toBe(0);
});
