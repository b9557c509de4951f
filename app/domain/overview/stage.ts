import type { StoredReferral } from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../requests/request.ts";

/** Where requests stand, as coarsely as a merchant sorts them. app/db/repositories/overview says the same in SQL. */
export const STAGES = [
  "attention",
  "awaiting_details",
  "in_progress",
  "results_ready",
  "cancelled",
] as const;
export type Stage = (typeof STAGES)[number];

/** A number for each stage. */
export function stageRecord(of: (stage: Stage) => number): Record<Stage, number> {
  return {
    attention: of("attention"),
    awaiting_details: of("awaiting_details"),
    in_progress: of("in_progress"),
    results_ready: of("results_ready"),
    cancelled: of("cancelled"),
  };
}

export function stageOf(
  { state, attention }: Pick<ReferralRequest, "state" | "attention">,
  referrals: Pick<StoredReferral, "status" | "deletedAt">[],
): Stage {
  if (state === "cancelled") return "cancelled";
  if (attention !== null || state === "held" || state === "rejected") return "attention";
  if (state === "awaiting_details") return "awaiting_details";
  const current = referrals.filter((referral) => referral.deletedAt === null);
  const isComplete =
    state === "created" &&
    current.length > 0 &&
    current.every((referral) => referral.status === "COMPLETE");
  return isComplete ? "results_ready" : "in_progress";
}
