import type { OrderId } from "../kernel/ids.ts";
import type { Stage } from "../referrals/stage.ts";
import type { AttentionReason } from "./attention-item.ts";
import type { OrderMode } from "./order-selection.ts";

export interface OrderSummary {
  orderId: OrderId;
  name: string;
  paidAt: Date;
  test: boolean;
  orderMode: OrderMode;
  cancelledAt: Date | null;
  /** One reason why a person is needed: the order's own, else one of its requests'. */
  attention: AttentionReason | null;
  /** Requests by stage; stages without any are left out. */
  stages: { stage: Stage; count: number }[];
}

export interface OrderPage {
  /** Newest payment first; by number when searched for. */
  orders: OrderSummary[];
  previous: string | null;
  next: string | null;
}
