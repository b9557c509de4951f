import type { Environment } from "../connections/connection.ts";
import type { Tenant } from "../tenant.ts";

/**
 * A walk through the service's lists has reached its end. If it began after sending was paused, everything that
 * was created since the restore point has been found, and what is waiting may be sent.
 */
export async function resumeAfterRestore(
  tenant: Tenant,
  environment: Environment,
  walkStartedAt: Date,
): Promise<void> {
  if (!(await tenant.restores.resume(environment, walkStartedAt))) return;
  for (const { id: requestId, state } of await tenant.requests.unsettled())
    await tenant.jobs.enqueue({
      name: state === "ready" ? "create-referral" : "resolve-ambiguous",
      shop: tenant.shop,
      requestId,
    });
}
