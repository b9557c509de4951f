import { ReferralServiceError } from "../../../platform/errors.ts";
import { lastingFailureOf } from "../record-unresolved.ts";
import type { CreateOutcome, ReferralService } from "../referral-service.ts";
import type { ReferralRequest } from "../request.ts";
import { FORMER_ALIVE, FORMER_UNREAD } from "../review-reason.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { isFailed } from "../status.ts";
import type { Tenant } from "../tenant.ts";
import { isReported } from "../with-results.ts";
import { itemsToSend, partOfReferral, partsOfItems } from "./referral-parts.ts";

/** The earlier orders of the same unit. */
export async function formerRequests(
  tenant: Tenant,
  { orderId, lineItemId, unit, generation }: ReferralRequest,
): Promise<ReferralRequest[]> {
  if (generation === 1) return [];
  return (await tenant.requests.forOrder(orderId)).filter(
    (one) => one.lineItemId === lineItemId && one.unit === unit && one.generation < generation,
  );
}

/** The referrals that a unit which was ordered again had before, of the parts that are to be sent now. */
export async function formerReferrals(tenant: Tenant, request: ReferralRequest): Promise<string[]> {
  const { environment } = request;
  const former = await formerRequests(tenant, request);
  if (former.length === 0) return [];
  const parts = partsOfItems(itemsToSend(request));
  const referrals = await tenant.referrals.forRequests(former.map(({ id }) => id));
  return referrals
    .filter((one) => one.environment === environment && parts.includes(partOfReferral(one)))
    .map(({ uuid }) => uuid);
}

/** Returns those that the service has by now, though they were deleted or had failed. Throws when it does not answer. */
async function aliveAgain(
  service: Pick<ReferralService, "getReferral">,
  uuids: readonly string[],
): Promise<string[]> {
  const alive: string[] = [];
  for (const uuid of uuids) if (isAlive(await service.getReferral(uuid))) alive.push(uuid);
  return alive;
}

/** Whether a form or result of it may be of use, so that nothing is ordered in its place. */
function isAlive(read: ReferralSnapshot | null): boolean {
  if (read === null) return false;
  const { deletedAt, status, resultsUuid } = read;
  return deletedAt === null ? !isFailed(read) : isReported({ resultUuid: resultsUuid, status });
}

const held = { kind: "not_sent", retryable: false, retryAfterMs: null } as const;
/** Nothing was sent: the unit has a referral that lives again. */
export const HELD_BY_FORMER: CreateOutcome = { ...held, reason: FORMER_ALIVE };
/** Nothing was sent: whether the unit has such a referral cannot be read, and will not be by itself. */
export const FORMER_UNREADABLE: CreateOutcome = { ...held, reason: FORMER_UNREAD };

/** Why a unit that was ordered again is not sent now: its former referral lives again, or cannot be read. Null when nothing is in the way. */
export async function heldByFormer(
  service: ReferralService,
  former: readonly string[],
): Promise<CreateOutcome | null> {
  try {
    return (await aliveAgain(service, former)).length > 0 ? HELD_BY_FORMER : null;
  } catch (error) {
    if (!(error instanceof ReferralServiceError)) throw error;
    if (lastingFailureOf(error) !== null) return FORMER_UNREADABLE;
    const { message, retryable, retryAfterMs } = error;
    return { kind: "not_sent", reason: message, retryable, retryAfterMs };
  }
}
