import type { OrderId, ShopDomain } from "../kernel/ids.ts";

/** An order as the store's list shows it: enough to tell whether it was missed, nothing about anybody. */
export interface ListedOrder {
  id: OrderId;
  name: string;
  /** Whether any of the money has come. */
  paid: boolean;
  updatedAt: Date;
}

export interface OrderListPage {
  orders: ListedOrder[];
  /** Where the next page begins; null at the end. */
  next: string | null;
  /** How long the store asks to be left alone before the next page, in milliseconds. */
  restMs: number;
}

/** Port: the store's list of orders. Rejects with StoreError. */
export interface StoreOrderList {
  /** Orders last changed between `since` and `until`, those changed first coming first. */
  page(
    shop: ShopDomain,
    window: { since: Date; until: Date; after: string | null },
  ): Promise<OrderListPage>;
  /** One order by the number that people know it by ("1001", "#1001") or by its id; null when there is none. */
  find(shop: ShopDomain, numberOrId: string): Promise<ListedOrder | null>;
}

/**
 * How far back the store shows orders to an app without the scope `read_all_orders`. Orders that were placed
 * before that are not in the list, whenever they were changed.
 */
export const VISIBLE_DAYS = 60;
