import type { Actor } from "../../kernel/timeline.ts";
import type { ReferralRequest } from "../request.ts";
import { announceReferral, newsOfStatus } from "../state-news.ts";
import type { Tenant } from "../tenant.ts";
import type { NewStatus } from "./link-referrals.ts";

/**
 * Tells of statuses that came with referrals as they were linked, where their owner is mailed about them: the refetch that follows
 * reads the same, and finds no change.
 */
export async function tellFirstStatuses(
  tenant: Tenant,
  { id: requestId, orderId, attempt }: ReferralRequest,
  news: readonly NewStatus[],
  { actor, at }: { actor: Actor; at: Date },
): Promise<void> {
  for (const { referral, from } of news) {
    const { uuid, status } = referral;
    const state = newsOfStatus(status);
    if (state === null) continue;
    const detail = { attempt, uuid, from, to: status };
    await tenant.timeline.add({ kind: "referral_status", actor, at, orderId, requestId, detail });
    await announceReferral(tenant, state, { requestId, uuid, now: at });
  }
}
