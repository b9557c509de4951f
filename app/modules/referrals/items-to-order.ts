import type { RequestFacts } from "./customer-view.ts";
import type { MappingMeaning } from "./mapping-facts.ts";
import type { OrderedItems } from "./referral-service.ts";
import { reorderableParts } from "./reorderable-parts.ts";
import type { ReferralPart, ReferralRequest } from "./request.ts";
import { itemsOfParts, itemsToSend, partsOfItems } from "./requests/referral-parts.ts";
import { mayRetry } from "./retry-request.ts";

/**
 * Names the items that the service would be asked for if a person sent the request, retried it or ordered it again; null
 * where a person can do none of that. Retrying takes what the product's mapping means by now (`retry-request.ts`), and so
 * does ordering again what was refused, or what staff cancelled whole: the mapping may have been why. `mapping` is that meaning.
 */
export function itemsToOrder(
  facts: Pick<RequestFacts, "request" | "referrals" | "orderedAgain">,
  mapping: MappingMeaning | undefined,
): OrderedItems | null {
  const { request } = facts;
  const parts = reorderableParts(facts);
  const isRetried = mayRetry(request) && !request.underAge;
  if (request.state !== "held" && !isRetried && parts.length === 0) return null;
  const takesMapping = isRetried || isOrderedAnew(request, parts);
  if (takesMapping && request.missingPart === null && mapping?.kind === "order")
    return mapping.items;
  return parts.length > 0 ? itemsOfParts(request.items, parts) : itemsToSend(request);
}

/** Whether ordering these parts of a request again orders what its product means by now: nothing of it lives at the service. */
export const isOrderedAnew = (
  { state, items }: ReferralRequest,
  parts: readonly ReferralPart[],
): boolean =>
  state === "rejected" || (state === "cancelled" && parts.length === partsOfItems(items).length);

/**
 * Names the items of the call that would send a request as it stands; of a refused one, of the call that a retry makes. `mapping`: what
 * its product means in the request's environment.
 */
export function itemsOfCall(
  request: ReferralRequest,
  mapping: MappingMeaning | undefined,
): OrderedItems {
  const isRetried = request.state === "rejected" && request.missingPart === null;
  return isRetried && mapping?.kind === "order" ? mapping.items : itemsToSend(request);
}
