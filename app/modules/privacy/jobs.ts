import type { ShopDomain } from "../kernel/ids.ts";
import type { Job as JobBelow } from "../orders/jobs.ts";
import type { ToldOutage } from "../orders/order-status-publisher.ts";

/** Work that this module or a lower one asks for. */
export type Job =
  | JobBelow
  | { name: "maintain-shop"; shop: ShopDomain }
  | ({ name: "start-outage-flow"; shop: ShopDomain } & ToldOutage)
  /** `day`: the one that the morning's summary is about. */
  | { name: "alert-daily"; shop: ShopDomain; day: string }
  | { name: "replay-erasures"; shop: ShopDomain }
  /** `actor`: the member of staff whom the patient asked; the patient where it is left out. */
  | { name: "erase-request"; shop: ShopDomain; requestId: string; actor?: `staff:${string}` };
