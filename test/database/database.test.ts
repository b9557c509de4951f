import { expect, test } from "vitest";
import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import { START } from "./clock.ts";
import { openTestDatabase } from "./database.ts";
import { installedShop, MANAGERS } from "./seed.ts";

const first = await openTestDatabase();
const second = await openTestDatabase();

test("each copy is migrated, empty and its own", async () => {
  await first.pool.query("INSERT INTO shops (shop) VALUES ('one.myshopify.com')");
  const count = async ({ pool }: typeof first) =>
    (await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM shops")).rows[0]?.n;
  expect(await count(first)).toBe(1);
  expect(await count(second)).toBe(0);
});

test("a shop of the tests has the rows that the use cases write for one", async () => {
  const quick = await installedShop(first);
  const slow: ShopDomain = "slow.myshopify.com";
  await first.tenancy.inShop(slow, async (tenant) => {
    await tenant.shops.install("", START);
    await tenant.shops.recordFacts({ accounts: "legacy" });
    for (const staff of MANAGERS)
      await tenant.staff.identify({ staff, name: "Mo Manager", isAccountOwner: true }, START);
  });
  const tables = await first.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'shop' AND table_name NOT IN ('data_keys', 'key_epochs')`,
  );
  const rowsOf = async (shop: ShopDomain) => {
    const found: Record<string, unknown[]> = {};
    for (const { name } of tables.rows) {
      const { rows } = await first.pool.query<{ row: unknown }>(
        `SELECT to_jsonb(t) - 'shop' AS row FROM "${name}" t WHERE shop = $1 ORDER BY 1`,
        [shop],
      );
      if (rows.length > 0) found[name] = rows.map(({ row }) => row);
    }
    return found;
  };
  const rows = await rowsOf(quick);
  expect(Object.keys(rows)).toEqual(expect.arrayContaining(["shops", "staff_members"]));
  expect(rows).toEqual(await rowsOf(slow));
});
