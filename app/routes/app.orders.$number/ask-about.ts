import type { Cost } from "../../modules/catalogue/cost.ts";
import type { Question } from "../../modules/kernel/words.ts";
import { isOrderedAgain, previewCancellation } from "../../modules/referrals/cancel-request.ts";
import { describeCancellation } from "../../modules/referrals/cancellation-words.ts";
import type { RequestFacts } from "../../modules/referrals/customer-view.ts";
import {
  askToKeep,
  askToRelease,
  askToReorder,
  askToRetry,
  askToWaitForDetails,
} from "../../modules/reports/question-words.ts";
import type { OrderForm } from "./order-form.ts";

/** The questions before staff do something to a unit that costs money or ends something. */
export type Questions = Partial<Record<OrderForm["intent"], Question>>;

/** `cost`: what the service charges when the unit is ordered; null when nobody knows. */
export function askAbout(
  facts: RequestFacts,
  { subject, cost }: { subject: { test: string; order: string }; cost: Cost | null },
): Questions {
  const { state, reviewReason, underAge } = facts.request;
  const cancellation = describeCancellation(
    isOrderedAgain(facts) ? "nothing" : previewCancellation(facts),
    reviewReason?.code === "refunded_after_sending",
  );
  return {
    "reorder-request": askToReorder(subject, cost),
    retry: underAge
      ? askToWaitForDetails(subject)
      : askToRetry(subject, [cost], state === "ambiguous"),
    "keep-request": askToKeep(subject),
    release: askToRelease(subject, [cost]),
    ...(cancellation && {
      "cancel-request": {
        title: cancellation.title,
        text: `${subject.test}, of order ${subject.order}. ${cancellation.text}`,
        action: "Cancel test",
        dismiss: "Keep the test",
        isDestructive: true,
      },
    }),
  };
}
