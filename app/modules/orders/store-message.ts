import type { CustomerId, OrderId, ProductId } from "../kernel/ids.ts";
import type { PaidOrder } from "../kernel/inbox.ts";

/** The shop that the signed body names, or null when it names none. */
interface Stated {
  statedShop: string | null;
}

/** The meaning of a message from the store to Pathway, whatever its topic is called. */
export type StoreMessage =
  /** `paid`: it was paid, and the message says when it was placed. */
  | { kind: "order_changed"; orderId: OrderId; paid?: PaidOrder }
  /** Made, changed or deleted. */
  | { kind: "product_changed"; productId: ProductId }
  /** Scopes were granted or taken back. */
  | { kind: "scopes_changed" }
  | { kind: "customer_merged"; from: CustomerId; into: CustomerId }
  | ({ kind: "uninstalled" } & Stated)
  | ({
      kind: "customer_data_requested";
      customerId: CustomerId | null;
      orderIds: OrderId[];
    } & Stated)
  | ({ kind: "customer_redacted"; customerId: CustomerId | null; orderIds: OrderId[] } & Stated)
  /** `statedStoreId`: Shopify's own id of the store that asks, as `shops.store_id` holds it. */
  | ({ kind: "shop_redacted"; statedStoreId: string } & Stated)
  /** A topic that asks nothing of us yet. */
  | { kind: "noted" }
  | { kind: "unreadable" };

/** Port: reads a message of the store. */
export type StoreMessageReader = (topic: string, body: Buffer) => StoreMessage;
