import type { BatchOutcome } from "../kernel/batch.ts";
import { HOLD_REASONS } from "../referrals/urgency.ts";
import { nameOfReason } from "./attention-names.ts";
import type { BulkAction } from "./bulk-action.ts";

const NOTHING_TO_DO: Record<BulkAction, string> = {
  retry: "nothing to retry",
  release: "nothing held",
  hold: "nothing left to hold",
  resend: "no details missing, or nobody to ask",
  resync: "not in Pathway any more",
  handled: "nothing open",
  reopen: "open already, handled again by a colleague, or its cause has gone",
};

/** Tests that may exist at the service: many at once send none of them (`doToOrder`). */
const UNCLEAR: ReadonlySet<string> = new Set([
  "ambiguous",
  "half_created",
  "unresolved",
  "under_age_unclear",
]);

/**
 * Says why an action on many orders left one as it was, and what to do about it. `open`: why it needs somebody now. `isChanged`: the page
 * showed something else.
 */
export function describeNotDone(
  action: BulkAction,
  outcome: BatchOutcome,
  open: readonly { code: string }[],
  isChanged = false,
): string {
  if (isChanged) return "changed since the page was opened: read where it stands now";
  if (outcome === "refused") {
    const left = describeNotDone(action, "nothing_to_do", open);
    return `done in part. ${left.charAt(0).toUpperCase()}${left.slice(1)}`;
  }
  if (outcome !== "nothing_to_do") return outcome === "failed" ? "failed; try again" : outcome;
  const has = (codes: ReadonlySet<string>) => open.some(({ code }) => codes.has(code));
  if (action === "retry" && has(UNCLEAR))
    return "may be at the service already: open the order, and look there first";
  if (action === "release" && has(HOLD_REASONS))
    return "its results wait for the reviewer: open the order";
  const names = [...new Set(open.map(({ code }) => nameOfReason(code).toLowerCase()))].join(", ");
  const isDecision = action === "retry" || action === "release" || action === "handled";
  if (!isDecision || open.length === 0) return NOTHING_TO_DO[action];
  return action === "handled"
    ? `still open: ${names}. Open the order`
    : `${NOTHING_TO_DO[action]}. Still open: ${names}`;
}
