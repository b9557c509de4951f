import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { OrderId, ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import { copyLink } from "../../modules/notifications/copy-link.ts";
import { type ResendOutcome, resendDetails } from "../../modules/notifications/resend-details.ts";
import { retryMails } from "../../modules/notifications/retry-mails.ts";
import {
  type SendAgainOutcome,
  sendMailAgain,
} from "../../modules/notifications/send-mail-again.ts";
import { resyncOrder } from "../../modules/orders/resync-order.ts";
import {
  type AskForCorrectionOutcome,
  askForCorrection,
} from "../../modules/referrals/ask-for-correction.ts";
import { type CancelOutcome, cancelRequest } from "../../modules/referrals/cancel-request.ts";
import { holdRequest } from "../../modules/referrals/hold-request.ts";
import { type KeepOutcome, keepRequest } from "../../modules/referrals/keep-request.ts";
import { reissueForm } from "../../modules/referrals/reissue-form.ts";
import { releaseRequest } from "../../modules/referrals/release-request.ts";
import { type ReorderOutcome, reorderRequest } from "../../modules/referrals/reorder-request.ts";
import { retryRequest } from "../../modules/referrals/retry-request.ts";
import { reopenHandled } from "../../modules/reports/reopen-handled.ts";
import { describeReopened } from "../../modules/reports/reopen-words.ts";
import type { Ports } from "../../ports.ts";
import type { OrderForm } from "./order-form.ts";

type Result = Required<Pick<FormAnswer, "toast" | "toastIsError">> & Pick<FormAnswer, "link">;

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
    case "reopen":
      return describeReopened(await reopenHandled(ports, { ...target, reason: value.reason }));
    case "retry": {
      const { requestId, seen = null } = value;
      const outcome = await retryRequest(ports, { shop, requestId, actor, seen });
      if (outcome.kind === "changed_meanwhile") return CHANGED;
      if (outcome.kind === "under_age") return UNDER_AGE;
      return outcome.kind === "queued"
        ? said("Sending it again")
        : refused("It has changed since. There is nothing to retry.");
    }
    case "release": {
      const { requestId, seen = null } = value;
      const outcome = await releaseRequest(ports, { shop, requestId, actor, seen });
      if (outcome.kind === "changed_meanwhile") return CHANGED;
      if (outcome.kind === "under_age") return UNDER_AGE;
      return outcome.kind === "queued"
        ? said("Released: it’s being sent")
        : refused("It has changed since. There is nothing to release.");
    }
    case "hold": {
      const { requestId, seen = null } = value;
      const outcome = await holdRequest(ports, { shop, requestId, actor, seen });
      if (outcome.kind === "changed_meanwhile") return CHANGED;
      return outcome.kind === "held"
        ? said("Held: it isn’t sent until you release it")
        : refused("It’s being sent already");
    }
    case "resend": {
      return ASKED_AGAIN[(await resendDetails(ports, { shop, orderId, actor })).kind];
    }
    case "send-again": {
      const { requestId, kind } = value;
      const sentAt = new Date(value.sentAt);
      const mail = { shop, orderId, actor, requestId, kind, sentAt };
      return SENT_AGAIN[(await sendMailAgain(ports, mail)).kind];
    }
    case "retry-mails": {
      const { requestId } = value;
      const outcome = await retryMails(ports, { shop, requestId, actor });
      return outcome.kind === "queued"
        ? said("Sending the emails that wait")
        : refused("It has changed since. No email waits.");
    }
    case "copy-link": {
      const { requestId } = value;
      const outcome = await copyLink(ports, { shop, orderId, actor, requestId });
      if (outcome.kind === "link")
        return { ...said("The link is ready to be copied"), link: outcome.url };
      return refused(
        outcome.kind === "no_address"
          ? "There’s no email address, and a link belongs to one"
          : "This test isn’t in Pathway any more",
      );
    }
    case "reissue-form": {
      const { requestId } = value;
      const outcome = await reissueForm(ports, { shop, orderId, actor, requestId });
      return outcome.kind === "queued"
        ? said("Fetching the form from the service again")
        : refused("It has changed since. There is no form to fetch.");
    }
    case "ask-correction": {
      const { requestId } = value;
      return ASKED[(await askForCorrection(ports, { shop, requestId, actor })).kind];
    }
    case "cancel-request": {
      const { requestId, seen = null } = value;
      return CANCELLED[(await cancelRequest(ports, { shop, requestId, actor, seen })).kind];
    }
    case "keep-request": {
      const { requestId, seen = null } = value;
      return KEPT[(await keepRequest(ports, { shop, requestId, actor, seen })).kind];
    }
    case "reorder-request": {
      const { requestId, seen = null } = value;
      return REORDERED[(await reorderRequest(ports, { shop, requestId, actor, seen })).kind];
    }
  }
}

const said = (toast: string): Result => ({ toast, toastIsError: false });
const refused = (toast: string): Result => ({ toast, toastIsError: true });

/** What the question before the click said need not be true any more. */
const CHANGED = refused(
  "Nothing was done: the test has changed since this page was opened. Read where it stands now, then choose again. If you see this again, reload the page.",
);

const UNDER_AGE = said(
  "Nothing was sent: the date of birth given last is under your minimum age. The test waits for other details.",
);

const ASKED_AGAIN: Record<ResendOutcome["kind"], Result> = {
  queued: said("Asking for the details again"),
  asked_just_now: said("They were asked a moment ago"),
  nothing_to_ask: refused(
    "No details are missing, or nobody can be asked. Check the customer’s email on the order in Shopify.",
  ),
};

const SENT_AGAIN: Record<SendAgainOutcome["kind"], Result> = {
  queued: said("Sending the email again"),
  sent_meanwhile: said("It’s being sent again already"),
  not_true_any_more: refused(
    "It has changed since: that email wouldn’t be true any more. Reload the page to see where the test stands.",
  ),
  too_often: refused("It was sent again five times today. Send it tomorrow, or ring the customer."),
};

const ASKED: Record<AskForCorrectionOutcome["kind"], Result> = {
  queued: said("Asking to check the details"),
  asked_today: refused("They were asked today already. Ask again tomorrow, or ring them."),
  nobody_to_ask: refused("There’s no email address to write to. Add one to the order in Shopify."),
  too_late: refused("The details can’t be corrected any more. Tell the laboratory the correction."),
};

const CANCELLED: Record<CancelOutcome["kind"], Result> = {
  cancelled: said("Cancelled"),
  deleting: said("The referral is being deleted at the service"),
  unsettled: said("It’s cancelled as soon as its sending is settled"),
  has_results: refused(
    "Results have arrived, so the test is kept. Decide in Shopify whether to refund it.",
  ),
  nothing_to_cancel: refused("It has changed since. There is nothing to cancel."),
  changed_meanwhile: CHANGED,
};

const KEPT: Record<KeepOutcome["kind"], Result> = {
  kept: said("The patient keeps the test. Its form is open again"),
  nothing_to_keep: refused("It has changed since. There is nothing to decide."),
  changed_meanwhile: CHANGED,
};

const REORDERED: Record<ReorderOutcome["kind"], Result> = {
  reordered: said("Ordered again"),
  not_bought: refused("This test was refunded or removed. There is nothing to order."),
  not_reorderable: refused("It has changed since. There is nothing to order again."),
  changed_meanwhile: CHANGED,
};
