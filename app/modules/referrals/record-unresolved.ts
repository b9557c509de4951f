import { apply } from "./apply.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Why a look at the service's list failed that will fail again until somebody changes something; null for a failure
 * that time may mend. Told by its shape: the error's class is not the same in every bundle (docs/decisions/0002).
 */
export function lastingFailureOf(error: unknown): string | null {
  if (!(error instanceof Error && "failure" in error && "retryable" in error)) return null;
  return error.retryable === false ? String(error.failure) : null;
}

/**
 * Tells a person that nobody can find out what became of an attempt, once the time is over in which it may still become
 * something; before, it is looked at once more then. The next look that succeeds takes this back.
 */
export async function recordUnresolved(
  tenant: Tenant,
  { id: requestId, attempt }: Pick<ReferralRequest, "id" | "attempt">,
  { code, quarantineEnds, now }: { code: string; quarantineEnds: Date; now: Date },
): Promise<void> {
  const settings = await tenant.shops.find();
  // Its return takes up what is unclear.
  if (!settings?.installed) return;
  const request = await tenant.requests.findForUpdate(requestId);
  if (request?.state !== "ambiguous" || request.attempt !== attempt) return;
  if (quarantineEnds > now) {
    const job = { name: "resolve-ambiguous", shop: tenant.shop, requestId } as const;
    return tenant.jobs.enqueue(job, { startAfter: quarantineEnds });
  }
  const event = { kind: "unresolved", attempt, code } as const;
  await apply(tenant, requestId, event, { actor: "pathway", at: now });
}
