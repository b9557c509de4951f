import type { Job as JobBelow } from "../catalogue/jobs.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";

/** Work that this module or a lower one asks for. */
export type Job =
  | JobBelow
  | { name: "handle-webhook"; shop: ShopDomain; inboxId: string }
  | { name: "do-privacy-request"; shop: ShopDomain; inboxId: string }
  | { name: "read-store-facts"; shop: ShopDomain }
  | { name: "mail-new-address"; shop: ShopDomain; orderId: OrderId }
  | { name: "index-orders"; shop: ShopDomain }
  | { name: "import-orders"; shop: ShopDomain; orderImportId: string };
