import type { OrderId, ProductId, ShopDomain } from "../kernel/ids.ts";
import type { Job as JobBelow } from "../referrals/jobs.ts";
import type { Environment } from "../shops/connection.ts";
import type { WaitingWalk } from "./waiting-orders.ts";

/** Work that this module or a lower one asks for. */
export type Job =
  | JobBelow
  /**
   * An order that waited for a mapping is read again. `isWanted`: a person named it, however old it is. `ignoredSince`, ISO 8601: its
   * units that were taken for no test since then are ordered, because that was a mistake.
   */
  | {
      name: "reconcile-order";
      shop: ShopDomain;
      orderId: OrderId;
      isWanted?: true;
      ignoredSince?: string;
    }
  /** The orders are walked through that waited for one mapping. */
  | ({ name: "reconcile-waiting"; shop: ShopDomain } & WaitingWalk)
  /** Lists anew the tests and bundles that the connection's organisation can order. */
  | { name: "refresh-catalogue"; shop: ShopDomain; environment: Environment }
  | { name: "read-store"; shop: ShopDomain }
  | { name: "reread-product"; shop: ShopDomain; productId: ProductId }
  | { name: "publish-product"; shop: ShopDomain; productId: ProductId };
