import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop } from "../../../../test/database/seed.ts";
import { keyOf } from "../../../jobs/definitions.ts";
import { systemClock } from "../../../platform/clock.ts";
import { shortKey } from "../../../queue/short-key.ts";
import { gid } from "../../kernel/ids.ts";
import { reconcileWaiting } from "../reconcile-waiting.ts";
import { saveMapping } from "../save-mapping.ts";
import type { WaitingWalk } from "../waiting-orders.ts";

const db = await openTestDatabase();
const VARIANT = gid("ProductVariant", 7);
const ORDERS = 450;

test("more orders than one transaction takes are all read again, some at a time", async () => {
  const shop = await installedShop(db);
  await db.pool.query(
    `INSERT INTO order_lines (shop, order_id, line_item_id, variant_id, title, quantity, current_quantity, mapping_state)
     SELECT $1, 'gid://shopify/Order/' || 5000 + n / 2, 'gid://shopify/LineItem/' || n, $2, 'Iron', 1, 1, 'unmapped'
     FROM generate_series(0, $3::int * 2 - 1) n`,
    [shop, VARIANT, ORDERS],
  );
  const place = {
    environment: "staging",
    productId: gid("Product", 3),
    variantId: VARIANT,
  } as const;
  const ports = { tenancy: db.tenancy, clock: systemClock };
  const mapping = { ...place, kind: "ignored" } as const;
  expect(await saveMapping(ports, { shop, actor: "staff:1", mapping })).toMatchObject({
    ordersWaiting: ORDERS,
  });
  const counts: number[] = [];
  for (;;) {
    const { rows } = await db.pool.query<{ name: string; key: string; payload: WaitingWalk }>(
      `DELETE FROM outbox WHERE shop = $1 AND name LIKE 'reconcile-%'
       RETURNING name, singleton_key AS key, payload`,
      [shop],
    );
    counts.push(rows.filter(({ name }) => name === "reconcile-order").length);
    const [next] = rows.filter(({ name }) => name === "reconcile-waiting");
    if (!next) break;
    expect(next.key).toBe(shortKey(keyOf({ name: "reconcile-waiting", shop, ...next.payload })));
    await reconcileWaiting(ports, { shop, sold: next.payload.sold, after: next.payload.after });
  }
  expect(counts).toEqual([200, 200, 50]);
});
