import type { BatchOutcome } from "../kernel/batch.ts";

/** The message of an order that was left because it needs somebody for something else by now than the page showed. */
export const CHANGED_MEANWHILE = "changed_meanwhile";

/** The actions that staff can apply to many orders at once. */
export const BULK_ACTIONS = ["retry", "release", "hold", "resend", "resync", "handled"] as const;

/** The same with the one that only undoes a run: it takes back what that run marked as handled. */
export const RUN_ACTIONS = [...BULK_ACTIONS, "reopen"] as const;
export type BulkAction = (typeof RUN_ACTIONS)[number];

/**
 * The outcome for one order: something was done, or there was nothing to do any more. `refused`: it was done to some of its tests,
 * and others that it was meant for are left to a person.
 */
export type BulkOutcome = Extract<BatchOutcome, "done" | "nothing_to_do" | "refused">;
