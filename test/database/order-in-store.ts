import { onTestFinished } from "vitest";
import { gid, type OrderId, type ShopDomain } from "../../app/modules/kernel/ids.ts";
import type { StoreOrder } from "../../app/modules/orders/order.ts";
import { reconcileOrder } from "../../app/modules/orders/reconcile-order.ts";
import { movableClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { startSmallStore } from "./small-store.ts";

/** One order in the small store, and what each reading of it makes of its rows. */
export async function orderInStore(
  db: TestDatabase,
  shop: ShopDomain,
  orderId: OrderId = gid("Order", 1001),
) {
  const store = await startSmallStore();
  onTestFinished(() => store.close());
  const clock = movableClock();
  const ports = { tenancy: db.tenancy, clock, ...store };
  const rowsOf = async <T extends object>(sql: string): Promise<T[]> =>
    (await db.pool.query<T>(sql, [shop, orderId])).rows;
  return {
    store,
    clock,
    ports,
    /** Reads it as it has become since; null when the store shows it no more. */
    read(order: StoreOrder | null) {
      store.orders = order ? [order] : [];
      clock.advance(1000);
      return reconcileOrder(ports, { shop, orderId });
    },
    async reviewCode() {
      const [row] = await rowsOf<{ code: string | null }>(
        "SELECT review_code AS code FROM orders WHERE shop = $1 AND order_id = $2",
      );
      return row?.code;
    },
    lines: () =>
      rowsOf<{ variant: string | null; product: string | null; state: string }>(
        `SELECT variant_id AS variant, product_id AS product, mapping_state AS state
         FROM order_lines WHERE shop = $1 AND order_id = $2 ORDER BY line_item_id`,
      ),
    requests: () => db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(orderId)),
    /** Reads the timeline of the order itself, oldest first. */
    async story() {
      const rows = await rowsOf<{ kind: string }>(
        "SELECT kind FROM timeline WHERE shop = $1 AND order_id = $2 AND request_id IS NULL ORDER BY id",
      );
      return rows.map(({ kind }) => kind);
    },
  };
}
