import type { Clock } from "../../platform/clock.ts";

/**
 * Milliseconds that only grow, for pauses in this process: by a clock that is set back they would last until it has the former
 * time again.
 */
export function passingTime(clock: Clock): () => number {
  let last = clock.now().getTime();
  let setBackMs = 0;
  return () => {
    const now = clock.now().getTime();
    if (now < last) setBackMs += last - now;
    last = now;
    return now + setBackMs;
  };
}
