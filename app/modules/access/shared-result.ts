import type { StoredResult } from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { ResultShare } from "./share.ts";
import type { Tenant } from "./tenant.ts";

/**
 * The result of a share, as long as the release and the owner are those of the sharing; null when it was withdrawn, held
 * again, erased or cancelled, when the unit is somebody else's now, and while the shop has removed the app.
 */
export async function sharedResult(
  tenant: Tenant,
  share: ResultShare,
): Promise<{ request: ReferralRequest; stored: StoredResult } | null> {
  const settings = await tenant.shops.find();
  const request = await tenant.requests.find(share.requestId);
  const stored = await tenant.results.find(share.resultId);
  if (!settings?.installed || !request || !stored) return null;
  if (request.state === "cancelled" || request.resultsHiddenAt) return null;
  if (request.owner !== share.owner) return null;
  const customerId = share.customerId && (await tenant.customers.survivorOf(share.customerId));
  if (request.customerId !== customerId) return null;
  if (stored.requestId !== request.id || stored.deletedAt || stored.otherPerson) return null;
  return stored.releasedAt?.getTime() === share.releasedAt.getTime() ? { request, stored } : null;
}
