import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";

/** A packet that is lost on the way is sent again after a second. */
const ATTEMPT_MS = 2_500;

/**
 * Lets each address of a host have so long to answer before the next one is tried, in the whole process. Node gives up an
 * address after a quarter of a second. When the host is far, or a packet was lost, that can be the only address that leads
 * anywhere; the next one may be of a kind that this machine has no way to, and no connection ever comes about.
 */
export function waitForFarHosts(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(ATTEMPT_MS);
}
