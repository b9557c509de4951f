const MAX_MS = 60 * 60 * 1000;

/** Reads a Retry-After header (seconds or HTTP date) as milliseconds from `now`, at most an hour; null if unreadable. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const value = header?.trim();
  if (!value) return null;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  if (Number.isNaN(waitMs)) return null;
  return Math.min(Math.max(waitMs, 0), MAX_MS);
}
