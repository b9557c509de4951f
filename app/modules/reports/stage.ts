import {
  isHeld,
  type StoredReferral,
  type StoredResult,
} from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../referrals/request.ts";

/**
 * Where requests stand, as coarsely as a merchant sorts them. The database keeps the same on every request's row
 * (pathway_place_request, docs/decisions/0018).
 */
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

type Facts = {
  request: Pick<ReferralRequest, "state" | "handledReason" | "replacedBy"> & {
    attention: string | null;
  };
  referrals: Pick<StoredReferral, "status" | "deletedAt" | "replacedBy">[];
  results: Pick<StoredResult, "releasedAt" | "inReview" | "deletedAt">[];
};

/** Why a person is needed: a key of the message catalogue; null when nobody is, or when it was handled. */
export function reasonOf(facts: Facts): string | null {
  const reason = rawReasonOf(facts);
  return reason === facts.request.handledReason ? null : reason;
}

function rawReasonOf({ request, results }: Facts): string | null {
  const { state, attention, replacedBy } = request;
  if (state === "cancelled") return null;
  if (attention !== null) return attention;
  if (replacedBy !== null && state !== "created") return null;
  if (state === "held" || state === "rejected") return state;
  return state === "created" && results.some(isHeld) ? "results_held" : null;
}

export function stageOf(facts: Facts): Stage {
  const { state } = facts.request;
  if (state === "cancelled") return "cancelled";
  if (reasonOf(facts) !== null) return "attention";
  // Refused and settled in some other way: nothing will come of it.
  if (state === "rejected") return "cancelled";
  if (state === "awaiting_details") return "awaiting_details";
  const current = facts.referrals.filter(
    (referral) => referral.deletedAt === null && referral.replacedBy === null,
  );
  // Ordered again as a whole: what becomes of it is told by the next generation.
  const isReplaced = facts.request.replacedBy !== null;
  if (isReplaced && (state !== "created" || current.length === 0)) return "cancelled";
  const isComplete =
    state === "created" &&
    current.length > 0 &&
    current.every((referral) => referral.status === "COMPLETE");
  return isComplete ? "results_ready" : "in_progress";
}
