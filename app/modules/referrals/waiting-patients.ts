import type { RequestFacts } from "./customer-view.ts";
import { isCurrent, type StoredReferral } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import { gatherFacts } from "./request-facts.ts";
import type { IdRange } from "./request-repository.ts";
import { unitsOfOwner } from "./tell-delayed.ts";
import type { Tenant } from "./tenant.ts";

/** A unit whose owner has a form, or has given a sample, and has not all of its results. */
export interface WaitingPatient {
  request: ReferralRequest;
  /** The referrals whose results the owner has not. */
  referrals: StoredReferral[];
}

/** No form was issued yet: no sample can be on its way. */
const NOT_ISSUED = new Set(["CREATED", "PENDING_VERIFICATION"]);

/** Returns the referrals of a unit whose results its owner waits for. */
function referralsAwaited({ request, referrals, results }: RequestFacts): StoredReferral[] {
  if (request.state !== "created" || request.cancellation?.status === "done") return [];
  return referrals.filter((referral) => {
    if (!isCurrent(referral) || NOT_ISSUED.has(referral.status)) return false;
    const shown = results.some(
      ({ referralUuid, partial, releasedAt, deletedAt }) =>
        referralUuid === referral.uuid && !partial && releasedAt !== null && deletedAt === null,
    );
    return !shown;
  });
}

/** The waiting units of one order that this request's owner holds: one mail tells of all of them. */
export async function waitingWith(
  tenant: Tenant,
  request: ReferralRequest,
): Promise<WaitingPatient[]> {
  return waitingOf(tenant, await unitsOfOwner(tenant, request));
}

async function waitingOf(tenant: Tenant, requests: ReferralRequest[]): Promise<WaitingPatient[]> {
  const waiting: WaitingPatient[] = [];
  for (const facts of await gatherFacts(tenant, requests)) {
    const { request } = facts;
    const referrals = referralsAwaited(facts);
    // Nobody is known any more who could be told.
    if (referrals.length > 0 && !(await tenant.requests.isRedacted(request.id)))
      waiting.push({ request, referrals });
  }
  return waiting;
}

/** The next part of all waiting units of the shop, by id. `last`: where to go on; null at the end. */
export async function waitingInRange(
  tenant: Tenant,
  range: IdRange,
  limit: number,
): Promise<{ waiting: WaitingPatient[]; last: string | null }> {
  const requests = await tenant.requests.inRange(range, limit);
  const last = requests.length < limit ? null : (requests.at(-1)?.id ?? null);
  return { waiting: await waitingOf(tenant, requests), last };
}

export const FIRST_ID = "00000000-0000-0000-0000-000000000000";
