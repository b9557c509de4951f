import type { Environment } from "../shops/connection.ts";
import type { Job } from "./jobs.ts";
import { refetchMissing } from "./refetch-missing.ts";
import type { RequestState } from "./request.ts";
import type { Tenant } from "./tenant.ts";

type Work = Extract<
  Job,
  { name: "create-referral" | "resolve-ambiguous" | "withdraw-referrals" | "correct-referrals" }
>;

const WORK: Partial<Record<RequestState, Work["name"]>> = {
  ready: "create-referral",
  sending: "resolve-ambiguous",
  ambiguous: "resolve-ambiguous",
  created: "withdraw-referrals",
};

/**
 * Queues what waits for a service that can be reached, in one environment or in both: jobs that found the app taken off,
 * or no connection, have ended. Doing it twice changes nothing, for each job looks whether it is due.
 */
export async function takeUpAgain(tenant: Tenant, environment?: Environment): Promise<void> {
  const { shop } = tenant;
  for (const { id: requestId, state } of await tenant.requests.unsettled(environment)) {
    const name = WORK[state];
    if (name) await tenant.jobs.enqueue({ name, shop, requestId });
  }
  for (const requestId of await tenant.corrections.waiting())
    await tenant.jobs.enqueue({ name: "correct-referrals", shop, requestId });
  await refetchMissing(tenant);
}
