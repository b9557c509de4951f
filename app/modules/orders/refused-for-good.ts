import { errorCode } from "../../platform/error-code.ts";
import type { Turn } from "../kernel/jobs.ts";

/** A refusal that has lasted for a quarter of an hour is no hiccup: the pauses between tries double from a second on. */
export const TURNS_BEFORE_TOLD = 10;

/** Answers that stand until somebody changes something. An outage ends by itself, and the home page says it. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...["store_refused", "store_unreadable"],
  ...["store_not_found", "store_not_signed_in", "store_no_session"],
]);

/** Whether a try that failed is one that a person has to hear of. */
export const isForGood = (error: unknown, { retries, isLast = false }: Turn): boolean =>
  isLast || (retries >= TURNS_BEFORE_TOLD && REFUSALS.has(errorCode(error)));
