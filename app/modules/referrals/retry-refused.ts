import type { Actor } from "../kernel/timeline.ts";
import { PRACTITIONER_FAULTS } from "./practitioner.ts";
import type { ReferralRequest } from "./request.ts";
import { retryIn } from "./retry-request.ts";
import { isSameReason } from "./review-reason.ts";
import type { Tenant } from "./tenant.ts";

/**
 * The most that one save sends again. The rest stays in the list of what needs attention, whose own retry works
 * through any number.
 */
const MOST = 200;

/** Whether a request was refused because of who orders it (interface §7.3), its missing part included. */
export function isPractitionerRefused(
  reason: { code: string; detail: string | null } | null,
): boolean {
  if (reason === null || reason.detail === null) return false;
  const isRefused = reason.code === "rejected" || reason.code === "half_rejected";
  return isRefused && PRACTITIONER_FAULTS.includes(reason.detail);
}

/**
 * Sends again what was refused because of its practitioner and need not be any more: its product's mapping names
 * somebody else by now, or the service's complaint was dealt with. What a person has marked as handled stays put.
 * To be called in the transaction that changed who orders; answers how many are sent again.
 */
export async function retryRefused(
  tenant: Tenant,
  by: { actor: Actor; at: Date },
): Promise<number> {
  let sent = 0;
  for (const requestId of await tenant.requests.refusedForOthers(PRACTITIONER_FAULTS, MOST)) {
    // Somebody may have dealt with it since it was found, and ordered it by hand.
    const request = await tenant.requests.findForUpdate(requestId);
    if (!request || !isOpenRefusal(request)) continue;
    const outcome = await retryIn(tenant, { requestId, ...by });
    if (outcome.kind === "queued") sent++;
  }
  return sent;
}

const isOpenRefusal = ({ reviewReason, handledReason }: ReferralRequest): boolean =>
  isPractitionerRefused(reviewReason) && !isSameReason(handledReason, reviewReason);
