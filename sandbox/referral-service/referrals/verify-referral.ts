import type { Core } from "../core.ts";
import { issueReferral } from "./issue-referral.ts";
import type { Referral } from "./referral.ts";

/** Completes verification: a PENDING_VERIFICATION referral becomes ISSUED (interface §3). */
export function verifyReferral(core: Core, referral: Referral): Referral {
  return issueReferral(core, referral);
}
