import type { Core } from "../core.ts";
import type { Result } from "./result-store.ts";

/**
 * Ends a review: everything that has arrived becomes visible, with the event of its stage
 * (interface §6). Releasing what is not held changes nothing.
 */
export function releaseResult(core: Core, result: Result, reviewedBy: string): Result {
  if (result.status !== "IN_REVIEW") return result;
  const { stores, events, clock } = core;
  return stores.database.transaction(() => {
    const released: Result = {
      ...result,
      status: result.arrivedStatus,
      released: result.arrived,
      reviewedBy,
      updatedAtMs: Math.max(clock.nowMs(), result.updatedAtMs + 1),
      version: result.version + 1,
    };
    stores.results.save(released);
    const stage =
      released.arrivedStatus === "COMPLETE" ? "result.complete" : "result.partial_results";
    for (const type of ["result.updated", stage] as const) {
      events.emit({
        organisationId: released.organisationId,
        type,
        referralUuid: released.referralUuid,
        resultUuid: released.uuid,
      });
    }
    return released;
  });
}
