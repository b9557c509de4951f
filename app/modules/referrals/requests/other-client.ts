import type { Environment } from "../../shops/connection.ts";
import type { ReferralRequest } from "../request.ts";
import type { Tenant } from "../tenant.ts";

/** How long somebody may go on with credentials that were read before others were saved. */
const STILL_IN_USE_MS = 10 * 60_000;

/**
 * Whether an attempt may have reached another organisation than the one whose list was read: the credentials of
 * another client were saved since. It may have begun a little later, with credentials that were read before.
 */
export async function mayBeElsewhere(
  tenant: Tenant,
  { environment, attemptStartedAt }: ReferralRequest,
): Promise<boolean> {
  return isBeforeClient(tenant, environment, attemptStartedAt);
}

/** Whether what was last done at a moment may have been done with the credentials of another client than the connection has now. */
export async function isBeforeClient(
  tenant: Tenant,
  environment: Environment,
  at: Date | null,
): Promise<boolean> {
  const since = (await tenant.connections.find(environment))?.clientSince;
  if (!since) return false;
  return (at?.getTime() ?? 0) < since.getTime() + STILL_IN_USE_MS;
}
