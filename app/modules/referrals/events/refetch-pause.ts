/**
 * The pause before something is fetched again that was fetched a moment ago. All hints that come meanwhile share one
 * fetch.
 */
export const REFETCH_PAUSE_MS = 3_000;
/**
 * How long what an event named waits before it is looked at. The events that tell of a new result come together, and all
 * that come meanwhile share one look; nobody is shown anything of it before. Its referral is looked at first, for that
 * asks for the result too.
 */
export const FIRST_RESULT = { referralMs: 1_000, resultMs: 2_000 };
export const NO_REST = { referralMs: 0, resultMs: 0 };
/** Clocks of the database and of the processes may differ by this much. */
const CLOCK_TOLERANCE_MS = 500;

type LastFetch = Date | null | undefined;

/** Until when a resource that was asked for at `lastFetch` is left alone; null when it may be asked for now. */
export function pauseAfter(lastFetch: LastFetch, now: Date): Date | null {
  if (!lastFetch || isIncredible(lastFetch, now)) return null;
  const end = new Date(lastFetch.getTime() + REFETCH_PAUSE_MS);
  return end > now ? end : null;
}

/** When a rest ends; null when there is none. */
export const afterRest = (restMs: number, now: Date): Date | null =>
  restMs > 0 ? new Date(now.getTime() + restMs) : null;

/** Whether what was announced at `toldAt` is certainly in the answer to a call made at `lastFetch`. */
export function isAnswered(toldAt: Date, lastFetch: LastFetch, now: Date): boolean {
  if (!lastFetch || isIncredible(lastFetch, now)) return false;
  return lastFetch.getTime() - toldAt.getTime() > CLOCK_TOLERANCE_MS;
}

/** A clock that was set back must not keep a resource from being looked at until it is where it was. */
const isIncredible = (lastFetch: Date, now: Date) =>
  lastFetch.getTime() - now.getTime() > CLOCK_TOLERANCE_MS;
