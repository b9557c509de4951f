import { mayAskForCorrection } from "../../modules/referrals/ask-for-correction.ts";
import type { RequestFacts } from "../../modules/referrals/customer-view.ts";
import { mayKeep } from "../../modules/referrals/form-closed.ts";
import { mayReissue } from "../../modules/referrals/reissue-form.ts";
import { reorderableParts } from "../../modules/referrals/reorderable-parts.ts";
import { mayRetry } from "../../modules/referrals/retry-request.ts";
import type { OrderForm } from "./order-form.ts";

export interface OfferedAction {
  intent: OrderForm["intent"];
  label: string;
  /** An explanation, where the name does not say it all. */
  help?: string;
}

const RELEASE: OfferedAction = { intent: "release", label: "Release" };
const RETRY: OfferedAction = { intent: "retry", label: "Retry" };
const WAIT_FOR_OTHERS: OfferedAction = {
  intent: "retry",
  label: "Wait for other details",
  help: "Sends nothing. The earlier details are deleted, and the test waits for new ones",
};
const REORDER: OfferedAction = { intent: "reorder-request", label: "Order again" };
const ask = (units: number): OfferedAction => ({
  intent: "resend",
  label: units > 1 ? `Resend request for all ${units}` : "Resend request",
  help: "Emails whoever has to give the patient’s details",
});
const RETRY_MAILS: OfferedAction = {
  intent: "retry-mails",
  label: "Send again",
  help: "Sends the emails that wait, once the address is right",
};
const CANCEL: OfferedAction = { intent: "cancel-request", label: "Cancel test" };
const KEEP: OfferedAction = {
  intent: "keep-request",
  label: "Let the patient keep it",
  help: "Opens the form again. The refund in Shopify stays",
};
/** Reasons that wait for staff to cancel the unit. */
const CANCELLABLE: ReadonlySet<string> = new Set([
  "refunded_after_sending",
  "under_age",
  "under_age_unclear",
]);
const HOLD: OfferedAction = {
  intent: "hold",
  label: "Hold",
  help: "Isn’t sent until you release it",
};
const ASK_FOR_CORRECTION: OfferedAction = {
  intent: "ask-correction",
  label: "Ask to correct the details",
  help: "Emails the customer a link to correct them",
};

const COPY_LINK: OfferedAction = {
  intent: "copy-link",
  label: "Copy the customer’s link",
  help: "Opens the order’s status, and no details or results",
};
const REISSUE: OfferedAction = {
  intent: "reissue-form",
  label: "Reissue the form",
  help: "Fetches it from the service again. The customer is emailed where the service says that it has changed",
};

const retryOf = ({ underAge }: RequestFacts["request"]): OfferedAction =>
  underAge ? WAIT_FOR_OTHERS : RETRY;

/**
 * Lists what staff can do about a unit: the one action that helps it on most, and the others. Cancelling is offered
 * here only where the unit waits for that. `askedUnits`: how many units a request for details would be for; 0 for
 * none. `isReachable`: whether anybody can be written to.
 */
export function offeredActions(
  facts: RequestFacts,
  { askedUnits, isReachable }: { askedUnits: number; isReachable: boolean },
): {
  primary: OfferedAction | null;
  others: OfferedAction[];
} {
  const { request, referrals, isPatientLost = false } = facts;
  const { state } = request;
  const offered = [
    state === "held" ? RELEASE : null,
    mayRetry(request) ? retryOf(request) : null,
    reorderableParts(facts).length > 0 ? REORDER : null,
    request.mailRefusedAt && !isPatientLost ? RETRY_MAILS : null,
    askedUnits > 0 && isReachable ? ask(askedUnits) : null,
    CANCELLABLE.has(request.reviewReason?.code ?? "") && !request.kept ? CANCEL : null,
    mayKeep(request) ? KEEP : null,
  ].flatMap((one) => one ?? []);
  const [primary = null, ...rest] = offered;
  return {
    primary,
    others: [
      ...rest,
      ...(state === "ready" ? [HOLD] : []),
      ...(mayAskForCorrection(request, referrals) ? [ASK_FOR_CORRECTION] : []),
      ...(mayReissue(request, referrals) ? [REISSUE] : []),
      ...(state === "cancelled" || !isReachable || isPatientLost ? [] : [COPY_LINK]),
    ],
  };
}
