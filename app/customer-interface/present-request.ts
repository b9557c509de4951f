import type { CustomerRequest } from "../domain/account/list-requests.ts";
import { describeStatus, leastFinished } from "../messages/referral-status.ts";

/** Of these the shopper has a form or results, or will in a moment: the request's own state speaks. */
const SPOKEN_FOR = new Set(["ISSUED", "PARTIAL_RESULTS", "COMPLETE"]);

export type PresentedRequest = ReturnType<typeof presentCustomerRequest>;

/** A request as its shopper reads it: where a referral's own status says more than the state, it speaks. */
export function presentCustomerRequest({ statuses, ...request }: CustomerRequest) {
  const status = leastFinished(statuses);
  const isVague = request.state === "needs_support" || request.state === "being_prepared";
  return isVague && status && !SPOKEN_FOR.has(status)
    ? { ...request, nextStep: describeStatus(status).shopper }
    : request;
}
