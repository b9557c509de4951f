import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { OrderId, ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import { resendDetails } from "../../modules/notifications/resend-details.ts";
import { retryMails } from "../../modules/notifications/retry-mails.ts";
import { resyncOrder } from "../../modules/orders/resync-order.ts";
import {
  type AskForCorrectionOutcome,
  askForCorrection,
} from "../../modules/referrals/ask-for-correction.ts";
import { type CancelOutcome, cancelRequest } from "../../modules/referrals/cancel-request.ts";
import { holdRequest } from "../../modules/referrals/hold-request.ts";
import { releaseRequest } from "../../modules/referrals/release-request.ts";
import { type ReorderOutcome, reorderRequest } from "../../modules/referrals/reorder-request.ts";
import { retryRequest } from "../../modules/referrals/retry-request.ts";
import type { Ports } from "../../ports.ts";
import type { OrderForm } from "./order-form.ts";

type Result = Required<Pick<FormAnswer, "toast" | "toastIsError">>;

/** Does what staff ask for, and says what happens now. */
export async function applyOrder(
  ports: Ports,
  target: { shop: ShopDomain; orderId: OrderId; actor: Actor },
  value: OrderForm,
): Promise<Result> {
  const { shop, orderId, actor } = target;
  switch (value.intent) {
    case "resync": {
      const outcome = await resyncOrder(ports, { shop, orderId });
      return outcome.kind === "queued"
        ? said("Looking the order and its referrals up again")
        : refused("This order isn’t in Pathway any more");
    }
    case "retry": {
      const { requestId } = value;
      const outcome = await retryRequest(ports, { shop, requestId, actor });
      return outcome.kind === "queued"
        ? said("Sending it again")
        : refused("It has moved on since: nothing to retry");
    }
    case "release": {
      const { requestId } = value;
      const outcome = await releaseRequest(ports, { shop, requestId, actor });
      return outcome.kind === "queued"
        ? said("Released: it’s being sent")
        : refused("It has moved on since: nothing to release");
    }
    case "hold": {
      const { requestId } = value;
      const outcome = await holdRequest(ports, { shop, requestId, actor });
      return outcome.kind === "held"
        ? said("Held: it isn’t sent until you release it")
        : refused("It’s being sent already");
    }
    case "resend": {
      const outcome = await resendDetails(ports, { shop, orderId, actor });
      return outcome.kind === "queued"
        ? said("Asking for the details again")
        : refused("No details are missing, or there’s nobody to ask");
    }
    case "retry-mails": {
      const { requestId } = value;
      const outcome = await retryMails(ports, { shop, requestId, actor });
      return outcome.kind === "queued"
        ? said("Sending the emails that wait")
        : refused("It has moved on since: no email waits");
    }
    case "ask-correction": {
      const { requestId } = value;
      return ASKED[(await askForCorrection(ports, { shop, requestId, actor })).kind];
    }
    case "cancel-request": {
      const { requestId } = value;
      return CANCELLED[(await cancelRequest(ports, { shop, requestId, actor })).kind];
    }
    case "reorder-request": {
      const { requestId } = value;
      return REORDERED[(await reorderRequest(ports, { shop, requestId, actor })).kind];
    }
  }
}

const said = (toast: string): Result => ({ toast, toastIsError: false });
const refused = (toast: string): Result => ({ toast, toastIsError: true });

const ASKED: Record<AskForCorrectionOutcome["kind"], Result> = {
  queued: said("Asking to check the details"),
  asked_today: refused("They were asked today already"),
  nobody_to_ask: refused("There’s no email address to write to"),
  too_late: refused("The details can’t be corrected any more"),
};

const CANCELLED: Record<CancelOutcome["kind"], Result> = {
  cancelled: said("Cancelled"),
  deleting: said("The referral is being deleted at the service"),
  unsettled: said("It’s cancelled as soon as its sending is settled"),
  has_results: refused("It has results by now, so it’s kept"),
  nothing_to_cancel: refused("It has moved on since: nothing to cancel"),
};

const REORDERED: Record<ReorderOutcome["kind"], Result> = {
  reordered: said("Ordered again"),
  not_bought: refused("This unit was refunded or removed: nothing to order"),
  not_reorderable: refused("It has moved on since: nothing to order again"),
};
