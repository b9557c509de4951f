import type { Job as JobBelow } from "../catalogue/jobs.ts";
import type { ShopDomain } from "../kernel/ids.ts";

/** Work that this room or a lower one asks for. */
export type Job =
  | JobBelow
  | { name: "handle-webhook"; shop: ShopDomain; inboxId: string }
  | { name: "do-privacy-duty"; shop: ShopDomain; inboxId: string }
  | { name: "catch-up-page"; shop: ShopDomain; catchUpId: string };
