import type { ShopDomain } from "../kernel/ids.ts";
import type { Job as JobBelow } from "../privacy/jobs.ts";

/** Work that any module asks for. */
export type Job = JobBelow | { name: "advance-simulation"; shop: ShopDomain; simulationId: string };

export type JobName = Job["name"];
