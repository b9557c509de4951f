import type { CancellationPreview } from "./cancel-request.ts";

interface Consequence {
  /** The question of the dialogue. */
  title: string;
  /** The consequence, and whether it can be undone. */
  text: string;
}

const NOT_REFUNDED =
  "This doesn’t refund the order in Shopify. Until it’s refunded, you can order the test again.";

/**
 * Describes the effect of cancelling before it happens. Null when there is nothing to cancel. `isRefunded`: the store
 * took the unit back, so there is no more to say about money.
 */
export function describeCancellation(
  preview: CancellationPreview,
  isRefunded: boolean,
): Consequence | null {
  const told = CANCELLATIONS[preview];
  return told && !isRefunded ? { ...told, text: `${told.text} ${NOT_REFUNDED}` } : told;
}

const CANCELLATIONS: Record<CancellationPreview, Consequence | null> = {
  not_sent: {
    title: "Cancel this test?",
    text: "The service holds no referral for it, so nothing is charged. The customer is told that the test was cancelled.",
  },
  deletable: {
    title: "Cancel this test?",
    text: "Nothing is reported yet, so the referral can still be deleted at the service. Its form stops working and leaves the customer’s account. Keep the test if a sample has been taken.",
  },
  unsettled: {
    title: "Cancel this test?",
    text: "It’s being sent, or Pathway is still finding out whether the service has it. As soon as that’s known, it’s cancelled, or its referral deleted.",
  },
  has_results: null,
  nothing: null,
};
