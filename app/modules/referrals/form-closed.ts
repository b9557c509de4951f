import type { ReferralRequest } from "./request.ts";

type Unit = Pick<ReferralRequest, "state" | "cancellation" | "reviewReason" | "handledReason">;

/** Reasons that ask staff about a unit whose cancellation the store requested. Marking one as handled lets the patient keep the unit. */
const ASKS_TO_KEEP: ReadonlySet<string> = new Set([
  "refunded_after_sending",
  "refunded_after_results",
]);

/**
 * Whether nobody is to use the unit's form: its referral is being deleted, or the store requested its cancellation and
 * staff have not decided that the patient keeps it.
 */
export function isFormClosed({
  cancellation,
  handledReason,
}: Pick<Unit, "cancellation" | "handledReason">): boolean {
  if (cancellation === null) return false;
  return cancellation.status !== "requested" || !ASKS_TO_KEEP.has(handledReason?.code ?? "");
}

/** Whether the service did not delete the referral of a unit whose cancellation was requested: its owner is told as if it had. */
export const isRefusedToStore = ({ cancellation, reviewReason }: Unit): boolean =>
  cancellation !== null && reviewReason?.code === "withdrawal_refused";

/** Whether the cancellation of a unit with a referral was requested, and nothing is being done about it: staff decide. */
export const isPaused = (unit: Unit): boolean =>
  unit.state === "created" &&
  unit.cancellation?.status === "requested" &&
  isFormClosed(unit) &&
  !isRefusedToStore(unit);
