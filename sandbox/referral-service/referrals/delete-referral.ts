import type { Core } from "../core.ts";
import type { Referral } from "./referral.ts";

/**
 * Soft delete: sets deletedAt and takes the form away; the status stays (interface §3, §4.2).
 * Deleting again changes nothing.
 */
export function deleteReferral(core: Core, referral: Referral): Referral {
  if (referral.deletedAtMs !== null) return referral;
  const { stores, events, clock } = core;
  const deleted = { ...referral, deletedAtMs: clock.nowMs() };
  stores.database.transaction(() => {
    stores.referrals.save(deleted);
    events.emit({
      organisationId: deleted.organisationId,
      type: "referral.updated",
      referralUuid: deleted.uuid,
      resultUuid: deleted.resultsUuid,
    });
  });
  return deleted;
}
