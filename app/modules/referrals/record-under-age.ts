import { apply } from "./apply.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Tells the shop that the date of birth which was given is under its minimum age: whoever was refused may never come back. What
 * was going to be ordered waits for other details, and those it would have been ordered with are forgotten.
 */
export async function recordUnderAge(tenant: Tenant, requestId: string, at: Date): Promise<void> {
  await apply(tenant, requestId, { kind: "under_age" }, { actor: "shopper", at });
}
