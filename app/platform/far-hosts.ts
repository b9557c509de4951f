import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";

/** A packet that is lost on the way is sent again after a second. */
const ATTEMPT_MS = 2_500;

/**
 * Lets each address of a host have so long to answer before the next one is tried, in the whole process. Node's own quarter of a second
 * gives up the only address that leads anywhere when a host is far or a packet was lost: where it has another one, of a kind that this
 * machine has no way to, no connection ever comes about.
 */
export function waitForFarHosts(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(ATTEMPT_MS);
}
