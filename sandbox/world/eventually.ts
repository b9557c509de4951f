import { setTimeout as delay } from "node:timers/promises";

export interface Patience {
  timeoutMs?: number;
  intervalMs?: number;
  /** The thing that is waited for, named in the message when it does not come. */
  what?: string;
  /** Ends the waiting early. */
  signal?: AbortSignal;
}

/**
 * Asks again until `probe` no longer throws, and answers what it answered.
 * Throws when the time is up, with the probe's last error as the cause.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 50, what = "it", signal }: Patience = {},
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
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
