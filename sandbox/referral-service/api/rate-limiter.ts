import { ApiError } from "../http/api-error.ts";

/** At most `limit` calls in each window of `windowMs`. */
export interface RateLimit {
  limit: number;
  windowMs: number;
}

export interface RateLimiter {
  /** Throws ApiError 429 with Retry-After when an organisation has used up its window. */
  take(organisationId: number, rateLimit: RateLimit | null): void;
}

/** Counts calls per organisation in fixed windows (interface §8: limits apply per organisation). */
export function createRateLimiter(now: () => number = Date.now): RateLimiter {
  const windows = new Map<number, { endsAtMs: number; used: number }>();
  return {
    take(organisationId, rateLimit) {
      if (rateLimit === null) {
        windows.delete(organisationId);
        return;
      }
      const nowMs = now();
      let window = windows.get(organisationId);
      if (!window || window.endsAtMs <= nowMs) {
        window = { endsAtMs: nowMs + rateLimit.windowMs, used: 0 };
        windows.set(organisationId, window);
      }
      window.used += 1;
      if (window.used <= rateLimit.limit) return;
      const waitSeconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000));
      throw new ApiError(429, "RATE_LIMITED", "Too many requests for this organisation", {
        headers: { "retry-after": String(waitSeconds) },
      });
    },
  };
}
