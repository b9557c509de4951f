import { apply } from "./apply.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Tells the shop that the date of birth which was given is under its minimum age: whoever was refused may never come back. What
 * was going to be ordered waits for other details, and those it would have been ordered with are forgotten.
 */
export async function recordUnderAge(tenant: Tenant, requestId: string, at: Date): Promise<void> {
  await apply(tenant, requestId, { kind: "under_age" }, { actor: "shopper", at });
}

/** Notes that the details that a test was ordered with were given again: a child's date that was given between was none. */
export async function confirmGiven(tenant: Tenant, requestId: string, at: Date): Promise<void> {
  await apply(tenant, requestId, { kind: "details_confirmed" }, { actor: "shopper", at });
}
