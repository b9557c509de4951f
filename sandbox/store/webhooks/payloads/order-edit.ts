import type { OrderDocument } from "../../state/order.ts";
import type { ShopDocument } from "../../state/shop.ts";
import { shopTime } from "../shop-time.ts";

/** By how many units an edit changed a line. */
export interface LineChange {
  lineItemId: number;
  /** Above zero: added; below: removed. */
  delta: number;
}

/** orders/edited */
export function orderEditPayload(input: {
  id: number;
  order: OrderDocument;
  shop: ShopDocument;
  changes: LineChange[];
  committedAt: string;
}) {
  const at = shopTime(input.committedAt, input.shop.ianaTimezone);
  const changes = (sign: 1 | -1) =>
    input.changes
      .filter((change) => Math.sign(change.delta) === sign)
      .map((change) => ({ id: change.lineItemId, delta: Math.abs(change.delta) }));
  return {
    order_edit: {
      id: input.id,
      app_id: null,
      created_at: at,
      committed_at: at,
      notify_customer: false,
      order_id: input.order.id,
      staff_note: "",
      user_id: input.shop.staff.id,
      line_items: { additions: changes(1), removals: changes(-1) },
      discounts: { line_item: { additions: [], removals: [] } },
      shipping_lines: { additions: [], removals: [] },
    },
  };
}
