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

/**
 * Work that nothing else asks for anew, and that nobody is told of once it is given up: a mail server, a store or a service may be
 * away for longer than two days, and what is owed must not be lost with the job.
 */
const TRIED_UNTIL_DONE: ReadonlySet<JobName> = new Set([
  ...(["send-mail", "send-alert", "send-reminder", "mail-new-address", "tell-waiting"] as const),
  ...(["handle-webhook", "reconcile-order", "erase-request", "replay-erasures"] as const),
]);

/** Whether work is tried until it succeeds. Other work is given up after two days. */
export const isTriedUntilDone = (name: JobName): boolean => TRIED_UNTIL_DONE.has(name);
