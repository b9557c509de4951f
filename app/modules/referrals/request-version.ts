import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { ReferralRequest } from "./request.ts";
import { reasonKey } from "./review-reason.ts";
import type { Tenant } from "./tenant.ts";

/** A person's wish about one request, from the page that shows it. */
export interface AskedOnPage {
  shop: ShopDomain;
  requestId: string;
  actor: Actor;
  /** The `requestVersion` that the page showed; null: wherever it stands. */
  seen?: string | null;
}

/** Names where a request stands: another text once it was sent, held, cancelled or marked anew. */
export const requestVersion = ({
  state,
  attempt,
  resultReason,
  reviewReason,
}: Pick<ReferralRequest, "state" | "attempt" | "resultReason" | "reviewReason">): string =>
  [state, attempt, resultReason, reviewReason && reasonKey(reviewReason)].join(" ");

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
