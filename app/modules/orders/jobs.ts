import type { Job as JobBelow } from "../catalogue/jobs.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Milestone } from "./store-marks.ts";

/** Work that this room or a lower one asks for. */
export type Job =
  | JobBelow
  | { name: "handle-webhook"; shop: ShopDomain; inboxId: string }
  | { name: "do-privacy-duty"; shop: ShopDomain; inboxId: string }
  | { name: "catch-up-page"; shop: ShopDomain; catchUpId: string }
  /** Queued by the database when a milestone is reached (prisma/migrations, pathway_tell_store). */
  | {
      name: "tell-store";
      shop: ShopDomain;
      orderId: OrderId;
      requestId: string | null;
      milestone: Milestone;
    };
