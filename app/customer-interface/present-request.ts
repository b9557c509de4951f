import type { CustomerRequest } from "../domain/account/list-requests.ts";
import { describeStatus, leastFinished } from "../messages/referral-status.ts";

/** A request as its shopper reads it: where a referral's own status says more than the state, it speaks. */
export function presentCustomerRequest({ statuses, ...request }: CustomerRequest) {
  const isVague = request.state === "needs_support" || request.state === "being_prepared";
  const status = leastFinished(statuses);
  return isVague && status ? { ...request, nextStep: describeStatus(status).shopper } : request;
}
