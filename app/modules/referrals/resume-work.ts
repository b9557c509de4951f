import type { Environment } from "../shops/connection.ts";
import { lookAfterHolds } from "./escalate-hold.ts";
import { refetchMissing } from "./refetch-missing.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Queues what waits for a service that can be reached, in one environment or in both: the app is there again, its
 * connection works, or a pause is over. Doing it twice changes nothing, for each job looks whether it is due. `isTested`: a person has
 * just tested the connection. `sendAfter`: nothing is sent before.
 */
export async function resumeWork(
  tenant: Tenant,
  environment?: Environment,
  { isTested = false, sendAfter }: { isTested?: boolean; sendAfter?: Date } = {},
): Promise<void> {
  for (const job of await tenant.requests.stalled(environment, isTested)) {
    const isSent = job.name === "create-referral" && sendAfter !== undefined;
    await tenant.jobs.enqueue(job, isSent ? { startAfter: sendAfter } : {});
  }
  await refetchMissing(tenant);
  await lookAfterHolds(tenant);
}
