import { apply, restand } from "./apply.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Tells the shop that the date of birth which was given is under its minimum age: whoever was refused may never come back. What
 * was going to be ordered waits for other details, and those it would have been ordered with are forgotten.
 */
export async function recordUnderAge(tenant: Tenant, requestId: string, at: Date): Promise<void> {
  const applied = await apply(tenant, requestId, { kind: "under_age" }, { actor: "shopper", at });
  if (applied?.request.state !== "awaiting_details" || !applied.request.hasPatient) return;
  await tenant.requests.forgetPatient(requestId);
  await restand(tenant, requestId);
}
