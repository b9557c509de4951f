import type { BatchCounts, BatchState } from "../kernel/batch.ts";
import { countOf } from "../kernel/words.ts";
import type { BulkAction } from "./bulk-action.ts";
import type { OrderMode, OrderSort } from "./order-selection.ts";

export const ORDER_MODE_NAMES: Record<OrderMode, string> = {
  production: "Production",
  staging: "Staging",
  test: "Test payments",
};

export const ORDER_SORT_NAMES: Record<OrderSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
};

/** In the place of a customer's name. */
export const CUSTOMER_ERASED = "Customer data erased";

export const BULK_NAMES: Record<BulkAction, string> = {
  retry: "Retry",
  release: "Release",
  hold: "Hold",
  resend: "Ask for details again",
  resync: "Re-sync",
  handled: "Mark as handled",
  reopen: "Reopen",
};

const BULK_DOING: Record<BulkAction, string> = {
  retry: "Retrying",
  release: "Releasing",
  hold: "Holding",
  resend: "Asking for details for",
  resync: "Re-syncing",
  handled: "Marking as handled",
  reopen: "Reopening",
};

/** "Retrying 25 orders", "Retry: 20 of 25 orders done". */
export function describeRun(run: {
  action: BulkAction;
  state: BatchState;
  counts: Pick<BatchCounts, "total" | "done">;
}): string {
  const { total, done } = run.counts;
  const orders = countOf(total, "order");
  switch (run.state) {
    case "collecting":
      return `${BULK_DOING[run.action]} orders: ${orders} found so far`;
    case "running":
      return `${BULK_DOING[run.action]} ${orders}`;
    case "cancelled":
      return `${BULK_NAMES[run.action]} ended when the app was removed: ${new Intl.NumberFormat("en-AU").format(done)} of ${orders} done. Start it again for the others.`;
    default:
      return `${BULK_NAMES[run.action]}: ${new Intl.NumberFormat("en-AU").format(done)} of ${orders} done`;
  }
}

/** "1,000+" of a number that was counted to a limit. */
export function boundedCount(count: number, limit: number): string {
  const format = new Intl.NumberFormat("en-AU");
  return count > limit ? `${format.format(limit)}+` : format.format(count);
}
