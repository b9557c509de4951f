import { type ReferralRequest, UNSENT_STATES } from "../referrals/request.ts";

/** Whether the buyer may still send the unit to somebody. */
export const mayInvite = (request: ReferralRequest): boolean =>
  request.acceptedAt === null &&
  request.missingPart === null &&
  // Where one was refused and ordered again, the replacement is handed over.
  request.replacedBy === null &&
  UNSENT_STATES.some((state) => state === request.state);
