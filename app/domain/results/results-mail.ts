import { partOf } from "../account/unit-parts.ts";
import type { DueNotification } from "../notifications/notification.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";

/**
 * The mail that a result of a request can be read. A unit with two referrals has two results, which come on days of
 * their own, and each has its mail; whatever else comes is a later version of one of them and has none.
 */
export async function resultsMail(
  tenant: Tenant,
  request: ReferralRequest,
  referralUuid: string,
): Promise<DueNotification> {
  const referrals = await tenant.referrals.forRequests([request.id]);
  const isSecond = partOf({ request, referrals }, referralUuid) === "medicare";
  return {
    requestId: request.id,
    kind: "results_available",
    ...(isSecond ? { occurrence: "second" } : {}),
  };
}
