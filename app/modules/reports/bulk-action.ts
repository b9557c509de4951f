import type { BatchOutcome } from "../kernel/batch.ts";

/** The actions that staff can apply to many orders at once. */
export const BULK_ACTIONS = ["retry", "release", "hold", "resend", "resync", "handled"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** The outcome for one order: something was done, or there was nothing to do any more. */
export type BulkOutcome = Extract<BatchOutcome, "done" | "nothing_to_do">;
