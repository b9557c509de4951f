import { setTimeout as delay } from "node:timers/promises";

export interface Patience {
  /** A minute and a half: the app tries again after half a minute what could not be sent in time, and a machine may be busy. */
  timeoutMs?: number;
  /** 50 ms and, after long waiting, a twentieth of it, so that whoever waits leaves the processors to the others. */
  intervalMs?: number;
  /** The thing that is waited for, named in the message when it does not come. */
  what?: string;
  /** Ends the waiting early. */
  signal?: AbortSignal;
}

const SHORTEST_MS = 50;
const LONGEST_MS = 250;

/**
 * Asks again until `probe` no longer throws, and answers what it answered.
 * Throws when the time is up, with the probe's last error as the cause.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = 90_000, intervalMs: given, what = "it", signal }: Patience = {},
): Promise<T> {
  const startedAt = performance.now();
  const giveUpAt = startedAt + timeoutMs;
  for (;;) {
    const waitedMs = performance.now() - startedAt;
    const intervalMs = given ?? Math.min(Math.max(SHORTEST_MS, waitedMs / 20), LONGEST_MS);
    try {
      return await probe();
    } catch (cause) {
      if (performance.now() + intervalMs > giveUpAt) {
        const last = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`Waited ${timeoutMs} ms in vain for ${what}: ${last}`, { cause });
      }
    }
    await delay(intervalMs, undefined, { signal });
  }
}
