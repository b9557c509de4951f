/** A server may take so long to answer for a mail (RFC 5321, 4.5.3.2.6). Until then it may still pass on the one that it has. */
const MIN_WAIT_MS = 10 * 60_000;

/**
 * When the server first had a mail and did not answer for it. A mail that it had before the clock was set back begins anew: by its former time it would be
 * tried every ten minutes until the clock is where it was.
 */
export const unclearFrom = (unclearSince: number | undefined, now: Date): Date =>
  new Date(Math.min(unclearSince ?? now.getTime(), now.getTime()));

/**
 * When a mail is tried again that the server had whole and did not answer for; null when it has been tried for long enough. It may
 * have arrived each time, so each wait is twice as long as all that was before: six copies in a day at most.
 */
export function nextTry({
  since,
  now,
  patienceMs,
}: {
  since: Date;
  now: Date;
  patienceMs: number;
}): Date | null {
  const passedMs = now.getTime() - since.getTime();
  const waitMs = Math.max(MIN_WAIT_MS, 2 * passedMs);
  return passedMs + waitMs > patienceMs ? null : new Date(now.getTime() + waitMs);
}
