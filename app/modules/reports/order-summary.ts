import type { OrderId } from "../kernel/ids.ts";
import type { Buyer } from "../orders/order.ts";
import type { Stage } from "../referrals/stage.ts";
import type { AttentionReason } from "./attention-item.ts";
import type { OrderMode } from "./order-selection.ts";

export interface OrderCustomer {
  /** Null when the store knows an address alone. */
  name: string | null;
  email: string | null;
}

/** Signs that turn the direction of the rest of a line: a name with one would reorder what staff read after it. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Who bought, as staff see them. */
export function toCustomer(
  buyer: Pick<Buyer, "firstName" | "lastName" | "email"> | undefined | null,
): OrderCustomer | null {
  if (!buyer) return null;
  const names = [buyer.firstName, buyer.lastName].map((one) => one?.replace(TURNS, ""));
  const name = names.filter(Boolean).join(" ") || null;
  return name || buyer.email ? { name, email: buyer.email } : null;
}

export interface OrderSummary {
  orderId: OrderId;
  name: string;
  paidAt: Date;
  test: boolean;
  orderMode: OrderMode;
  cancelledAt: Date | null;
  /** As the store told; null when it told of nobody, or when they were erased. */
  customer: OrderCustomer | null;
  /** The customer's data has been destroyed. */
  isErased: boolean;
  /** What was bought: tests, or everything when no line is one. */
  products: string[];
  /** One reason why a person is needed: what can't wait until tomorrow, else the order's own, else one of its requests'. */
  attention: AttentionReason | null;
  /**
   * Tests by stage; stages without any are left out. A request that was ordered again counts as its replacement, and two parts of a
   * test that stand at the same are one.
   */
  stages: { stage: Stage; count: number }[];
  /** Tests whose data was destroyed, and which need nobody. They are in no stage. */
  erased: number;
  /** Tests that are not cancelled. */
  tests: number;
}

export interface OrderPage {
  /** By payment; by number when a number was searched for. */
  orders: OrderSummary[];
  previous: string | null;
  next: string | null;
}
