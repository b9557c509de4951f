import { setTimeout as delay } from "node:timers/promises";

/**
 * Does something until it succeeds, for work that must not be given up because of a moment's failure. Each try
 * begins `everyMs` after the last one failed; the error of a try that began after `forMs` is thrown. What is done
 * must be harmless when it is done twice: a try may have succeeded without our hearing of it.
 */
export async function retryUntil<T>(
  work: () => Promise<T>,
  { forMs, everyMs }: { forMs: number; everyMs: number },
): Promise<T> {
  const giveUpAt = performance.now() + forMs;
  for (;;) {
    const isLast = performance.now() >= giveUpAt;
    try {
      return await work();
    } catch (error) {
      if (isLast) throw error;
    }
    await delay(everyMs);
  }
}
