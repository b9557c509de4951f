import type { Core } from "../core.ts";
import type { Deliverer } from "../events/deliverer.ts";
import type { CallCounts } from "../http/stats.ts";
import type { FormQueue } from "../referrals/form-queue.ts";

/** The parts that the web application works with. */
export interface ConsoleDependencies {
  core: Core;
  consoleToken: string;
  deliverer: Deliverer;
  formQueue: FormQueue;
  counts: CallCounts;
  openConnections: () => number;
}
