import type { Core } from "../core.ts";
import { type EventType, eventOfStatus } from "../events/event.ts";
import type { Referral, ReferralStatus } from "./referral.ts";

/** Moves a referral to a status, with its event, in the caller's transaction (interface §3). */
export function moveReferral(
  core: Core,
  referral: Referral,
  status: ReferralStatus,
  event: EventType = eventOfStatus[status],
): Referral {
  // Two changes within a millisecond still show two different times.
  const updatedAtMs = Math.max(core.clock.nowMs(), referral.updatedAtMs + 1);
  const moved = { ...referral, status, updatedAtMs };
  core.stores.referrals.save(moved);
  core.events.emit({
    organisationId: moved.organisationId,
    type: event,
    referralUuid: moved.uuid,
    resultUuid: moved.resultsUuid,
  });
  return moved;
}
