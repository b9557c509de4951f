import type { ReferralRequest } from "./request.ts";
import { reasonKey } from "./review-reason.ts";
import type { Tenant } from "./tenant.ts";

/** Names where a request stands: another text once it was sent, held, cancelled or marked anew. */
export const requestVersion = ({
  state,
  attempt,
  reviewReason,
}: Pick<ReferralRequest, "state" | "attempt" | "reviewReason">): string =>
  [state, attempt, reviewReason ? reasonKey(reviewReason) : ""].join(" ");

/**
 * Whether a request stands elsewhere than the page showed (`seen`): what was asked before the click was about something
 * else. False when nobody says what the page showed. The request stays locked until the transaction ends.
 */
export async function standsElsewhere(
  tenant: Pick<Tenant, "requests">,
  requestId: string,
  seen: string | null,
): Promise<boolean> {
  if (seen === null) return false;
  const request = await tenant.requests.findForUpdate(requestId);
  return request !== null && requestVersion(request) !== seen;
}
