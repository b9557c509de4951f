import type { Clock } from "../../platform/clock.ts";
import { ReferralServiceError, type ReferralServiceFailure } from "../../platform/errors.ts";
import type { Middleware } from "./middleware.ts";
import { NotSentError } from "./not-sent-error.ts";
import { passingTime } from "./passing-time.ts";

export interface CircuitBreakerOptions {
  clock: Clock;
  /** Failures in a row after which calls are refused. */
  failuresToOpen?: number;
  /** First time for which they are, in milliseconds; doubled at each failed probe, up to a minute. */
  openMs?: number;
}

const MAX_OPEN_MS = 60_000;

/**
 * Spares a service that does not answer, and the workers that would wait for it. Failures in a row (no connection, no
 * answer, 5xx) open the circuit: calls are then refused at once, with a NotSentError of the last failure. After a while one
 * call at a time may probe. Answers below 500, 429 among them, show a living service.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): Middleware {
  const { failuresToOpen = 5, openMs = 5_000 } = options;
  const nowMs = passingTime(options.clock);
  let failures = 0;
  /** Times in a row that the circuit opened; 0 while it is closed. */
  let openings = 0;
  let openUntil = 0;
  let probing = false;
  /** The service's last failure: whoever reads of a refused call is told what is wrong, not that it was refused. */
  let last: ReferralServiceFailure = "connection";

  function failed(isProbe: boolean, failure: ReferralServiceFailure): void {
    last = failure;
    // Calls that were under way when the circuit opened add nothing new.
    if (openings > 0 && !isProbe) return;
    failures += 1;
    if (!isProbe && failures < failuresToOpen) return;
    openUntil = nowMs() + Math.min(openMs * 2 ** openings, MAX_OPEN_MS);
    openings += 1;
  }

  function succeeded(): void {
    failures = 0;
    openings = 0;
  }

  return async (send) => {
    const now = nowMs();
    const isProbe = openings > 0;
    if (isProbe && (probing || now < openUntil)) {
      // A probe that hangs tells nothing about when: whoever waits for it must not ask every second.
      const retryAfterMs = now < openUntil ? Math.max(openUntil - now, 1_000) : undefined;
      const detail = { retryAfterMs, retryable: true };
      throw new NotSentError(last, "the service has not answered lately", detail);
    }
    if (isProbe) probing = true;
    try {
      const answer = await send();
      if (answer.status >= 500) failed(isProbe, "server");
      else succeeded();
      return answer;
    } catch (error) {
      const known = error instanceof ReferralServiceError ? error : null;
      if (!known?.isOurs) failed(isProbe, known?.failure ?? "connection");
      throw error;
    } finally {
      if (isProbe) probing = false;
    }
  };
}
