import type { ShopDomain } from "../kernel/ids.ts";
import type { Job as JobBelow } from "../privacy/jobs.ts";

/** Work that any room asks for. */
export type Job = JobBelow | { name: "advance-rehearsal"; shop: ShopDomain; rehearsalId: string };

export type JobName = Job["name"];
