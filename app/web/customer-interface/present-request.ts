import type { CustomerRequest } from "../../modules/access/list-requests.ts";
import { isKnownStatus } from "../../modules/referrals/status.ts";
import { describeStatus, leastFinished } from "../../modules/referrals/status-words.ts";
import { wholePhones } from "../../platform/whole-phones.ts";

/** With these statuses the customer has a form or results, or will in a moment: the request's own state speaks. */
const SPOKEN_FOR = new Set(["CREATED", "ISSUED", "PARTIAL_RESULTS", "COMPLETE"]);

/** The form may be good still, or expired: only the service knows what it meant. Nobody is sent to a collection centre for nothing. */
const FORM_IN_DOUBT =
  "The shop is looking into where this test stands. If no sample has been taken yet, contact the shop before you use its form.";

export type PresentedRequest = ReturnType<typeof presentCustomerRequest>;

/** A request as its customer reads it: where a referral's own status says more than the state, it speaks. */
export function presentCustomerRequest({ statuses, today, parts, ...request }: CustomerRequest) {
  return {
    ...request,
    nextStep: stepOf({ ...request, statuses, today }),
    parts: parts.map(({ statuses: own, today: first, ...part }) => ({
      ...part,
      nextStep: stepOf({ ...part, statuses: own, today: first }),
    })),
  };
}

function stepOf({
  state,
  nextStep,
  statuses,
  today = "",
}: Pick<CustomerRequest, "state" | "nextStep" | "statuses" | "today">): string {
  const words = wordsOf(state, leastFinished(statuses));
  // A result to open today, or to ring about, comes first, though another referral of the test has stopped.
  return wholePhones(words ? `${today} ${words}`.trim() : nextStep);
}

/** The words of a status that says more than the state. */
function wordsOf(state: CustomerRequest["state"], status: string | undefined): string | null {
  if (status === undefined) return null;
  if (state === "form_ready") return isKnownStatus(status) ? null : FORM_IN_DOUBT;
  const isVague = state === "needs_support" || state === "being_prepared";
  return isVague && !SPOKEN_FOR.has(status) ? describeStatus(status).customer : null;
}
