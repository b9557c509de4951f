/**
 * The pause before something is fetched again that was fetched a moment ago. All hints that come meanwhile share one
 * fetch.
 */
export const REFETCH_PAUSE_MS = 3_000;
/** Clocks of the database and of the processes may differ by this much. */
const CLOCK_TOLERANCE_MS = 500;

type LastFetch = Date | null | undefined;

/** Until when a resource that was asked for at `lastFetch` is left alone; null when it may be asked for now. */
export function pauseAfter(lastFetch: LastFetch, now: Date): Date | null {
  if (!lastFetch || isIncredible(lastFetch, now)) return null;
  const end = new Date(lastFetch.getTime() + REFETCH_PAUSE_MS);
  return end > now ? end : null;
}

/** Whether what was announced at `toldAt` is certainly in the answer to a call made at `lastFetch`. */
export function isAnswered(toldAt: Date, lastFetch: LastFetch, now: Date): boolean {
  if (!lastFetch || isIncredible(lastFetch, now)) return false;
  return lastFetch.getTime() - toldAt.getTime() > CLOCK_TOLERANCE_MS;
}

/** A clock that was set back must not keep a resource from being looked at until it is where it was. */
const isIncredible = (lastFetch: Date, now: Date) =>
  lastFetch.getTime() - now.getTime() > CLOCK_TOLERANCE_MS;
