import type { OrderId, ProductId, ShopDomain } from "../kernel/ids.ts";
import type { Job as JobBelow } from "../referrals/jobs.ts";

/** Work that this module or a lower one asks for. */
export type Job =
  | JobBelow
  /** An order that waited for a mapping is read again. */
  | { name: "reconcile-order"; shop: ShopDomain; orderId: OrderId }
  | { name: "read-store"; shop: ShopDomain }
  | { name: "reread-product"; shop: ShopDomain; productId: ProductId }
  | { name: "publish-product"; shop: ShopDomain; productId: ProductId };
