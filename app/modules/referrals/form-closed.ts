import type { ReferralRequest } from "./request.ts";

type Unit = Pick<ReferralRequest, "state" | "cancellation" | "reviewReason" | "kept">;

/** Reasons that ask staff about a unit whose cancellation the store requested. */
export const ASKS_TO_KEEP: ReadonlySet<string> = new Set([
  "refunded_after_sending",
  "refunded_after_results",
]);

/** Whether staff may decide that the patient keeps the unit: the store took it back, and asks. */
export const mayKeep = ({ state, cancellation, reviewReason, kept }: Unit): boolean =>
  state === "created" &&
  cancellation?.status === "requested" &&
  !kept &&
  ASKS_TO_KEEP.has(reviewReason?.code ?? "");

/**
 * Whether nobody is to use the unit's form: its referral is being deleted, or the store requested its cancellation and
 * staff have not decided that the patient keeps it.
 */
export function isFormClosed({ cancellation, kept }: Pick<Unit, "cancellation" | "kept">): boolean {
  return cancellation !== null && (cancellation.status !== "requested" || !kept);
}

/** Whether the service did not delete the referral of a unit whose cancellation was requested: its owner is told as if it had. */
export const isRefusedToStore = ({ cancellation, reviewReason }: Unit): boolean =>
  cancellation !== null && reviewReason?.code === "withdrawal_refused";

/**
 * Whether staff have to decide on the requested cancellation of a unit with a referral. Its owner is told that the test is
 * paused, and the news is stored under that word. Sending that is paused after a restore is another matter.
 */
export const needsDecision = (unit: Unit): boolean =>
  unit.state === "created" &&
  unit.cancellation?.status === "requested" &&
  isFormClosed(unit) &&
  !isRefusedToStore(unit);
