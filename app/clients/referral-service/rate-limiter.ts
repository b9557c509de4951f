import { setTimeout as sleepMs } from "node:timers/promises";
import type { Clock } from "../../platform/clock.ts";
import type { Middleware } from "./middleware.ts";
import { NotSentError } from "./not-sent-error.ts";
import { passingTime } from "./passing-time.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface RateLimiterOptions {
  clock: Clock;
  /** Waits; injected by tests. */
  sleep?: (ms: number) => Promise<unknown>;
}

/** A call that would wait longer is handed back to the job runner. */
const MAX_WAIT_MS = 10_000;
const FIRST_INTERVAL_MS = 50;
const MAX_INTERVAL_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const EASING = 0.9;

/**
 * Finds the rate that the service allows, which the interface does not tell (§8). Without 429 it does nothing.
 * On 429 it pauses for Retry-After (a second without it) and doubles the distance between calls; each good
 * answer shortens the distance again. Throws NotSentError `rate_limited` instead of waiting too long.
 */
export function createRateLimiter(options: RateLimiterOptions): Middleware {
  const { clock, sleep = sleepMs } = options;
  const nowMs = passingTime(clock);
  let intervalMs = 0;
  let nextAt = 0;
  let pausedUntil = 0;
  let slowedAt = 0;

  function slowDown(startedAt: number, pauseMs: number): void {
    const now = nowMs();
    pausedUntil = Math.max(pausedUntil, now + pauseMs);
    nextAt = Math.max(nextAt, pausedUntil);
    // Calls that were under way together hear 429 together: that is one lesson, not many.
    if (startedAt <= slowedAt) return;
    slowedAt = now;
    intervalMs = Math.min(Math.max(intervalMs * 2, FIRST_INTERVAL_MS), MAX_INTERVAL_MS);
  }

  async function turn(): Promise<void> {
    const arrivedAt = nowMs();
    while (true) {
      const now = nowMs();
      const slotAt = Math.max(nextAt, now);
      if (slotAt - arrivedAt > MAX_WAIT_MS) {
        const detail = { retryAfterMs: slotAt - now, isOurs: true };
        throw new NotSentError("rate_limited", "the service asked to slow down", detail);
      }
      nextAt = slotAt + intervalMs;
      if (slotAt > now) await sleep(slotAt - now);
      // Another call may have heard 429 in the meantime; then this one queues again.
      if (nowMs() >= pausedUntil) return;
    }
  }

  return async (send) => {
    await turn();
    const startedAt = nowMs();
    const answer = await send();
    if (answer.status === 429) {
      const asked = retryAfterMs(answer.retryAfter, clock.now());
      slowDown(startedAt, asked ?? FIRST_PAUSE_MS);
    } else if (answer.status < 500) {
      intervalMs = intervalMs * EASING < 1 ? 0 : intervalMs * EASING;
    }
    return answer;
  };
}
