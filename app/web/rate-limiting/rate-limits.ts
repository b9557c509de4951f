import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RATES, type Rate } from "../limits.ts";

export interface RateLimits {
  /** Counts one request. Resolves with null when it may pass, or with the milliseconds after which to come again. */
  take(rate: Rate, key: string): Promise<number | null>;
}

/** Counts requests of this process by who asks (`RATES`). */
export function createRateLimits(): RateLimits {
  const limiters = new Map(
    Object.entries(RATES).map(([name, { points, durationSeconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points, duration: durationSeconds }),
    ]),
  );
  return {
    async take(rate, key) {
      try {
        await limiters.get(rate)?.consume(key);
        return null;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return refusal.msBeforeNext;
      }
    },
  };
}
