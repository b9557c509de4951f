import type { CustomerRequest } from "../../modules/access/list-requests.ts";
import { isKnownStatus } from "../../modules/referrals/status.ts";
import { describeStatus, leastFinished } from "../../modules/referrals/status-words.ts";
import { wholePhones } from "../../platform/whole-phones.ts";

/** In these states the customer has a form or results, or will in a moment: the request's own state speaks. */
const SPOKEN_FOR = new Set(["ISSUED", "PARTIAL_RESULTS", "COMPLETE"]);

/** The form may be good still, or expired: only the service knows what it meant. Nobody is sent to a collection centre for nothing. */
const FORM_IN_DOUBT =
  "The shop is looking into where this test stands. If no sample has been taken yet, contact the shop before you use its form.";

export type PresentedRequest = ReturnType<typeof presentCustomerRequest>;

/** A request as its customer reads it: where a referral's own status says more than the state, it speaks. */
export function presentCustomerRequest({ statuses, parts, ...request }: CustomerRequest) {
  return {
    ...request,
    nextStep: stepOf({ ...request, statuses }),
    parts: parts.map(({ statuses: own, isForToday, ...part }) => ({
      ...part,
      nextStep: stepOf({ ...part, statuses: own, isForToday }),
    })),
  };
}

function stepOf({
  state,
  nextStep,
  statuses,
  isForToday,
}: Pick<CustomerRequest, "state" | "nextStep" | "statuses" | "isForToday">): string {
  const status = leastFinished(statuses);
  if (state === "form_ready" && status && !isKnownStatus(status)) return FORM_IN_DOUBT;
  const isVague = state === "needs_support" || state === "being_prepared";
  const words = isVague && status && !SPOKEN_FOR.has(status) && describeStatus(status).customer;
  if (!words) return wholePhones(nextStep);
  // To ring today about a result comes first, though another referral of the test has stopped.
  return isForToday ? `${wholePhones(nextStep)} ${words}` : words;
}
