/** Nobody vouches for the header (docs/decisions/0221). */
const MAX_MS = 60 * 60 * 1000;

/** Some send a part of a second, which RFC 9110 does not have. */
const SECONDS = /^\d+\.?\d*$/;
const DATE = /^(?:[A-Za-z]{3,9},? |\d{4}-\d\d-\d\dT)/;

/**
 * Reads a Retry-After header (seconds or HTTP date) as whole milliseconds from `now`, rounded up, at most an hour; null if
 * unreadable.
 */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const value = header?.trim() ?? "";
  if (SECONDS.test(value)) return within(Number(value) * 1000);
  if (!DATE.test(value)) return null;
  // The oldest of the three forms names no zone, and is of GMT as the others.
  const moment = Date.parse(/^[A-Za-z]{3} /.test(value) ? `${value} GMT` : value);
  return Number.isNaN(moment) ? null : within(moment - now.getTime());
}

const within = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), MAX_MS);
