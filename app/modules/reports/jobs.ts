import type { ShopDomain } from "../kernel/ids.ts";
import type { Job as JobBelow } from "../privacy/jobs.ts";
import type { Environment } from "../shops/connection.ts";

/** Work that any module asks for. */
export type Job =
  | JobBelow
  | { name: "advance-simulation"; shop: ShopDomain; simulationId: string }
  | { name: "alert-attention"; shop: ShopDomain }
  | { name: "alert-outage"; shop: ShopDomain; environment: Environment };

export type JobName = Job["name"];
