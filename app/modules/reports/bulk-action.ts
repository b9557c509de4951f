import type { BatchOutcome } from "../kernel/batch.ts";

/** What staff can do to many orders at once. */
export const BULK_ACTIONS = ["retry", "release", "hold", "resend", "resync", "handled"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** What became of one order: something was done, or there was nothing to do any more. */
export type BulkOutcome = Extract<BatchOutcome, "done" | "nothing_to_do">;
