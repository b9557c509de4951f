/** Lets so much pass each second, and the others one after another behind it. */
export interface Throttle {
  /**
   * Resolves with true when it is the caller's turn; with false when too many wait. `cost`: how much of the pace it takes,
   * in the pace's unit. More than there is left passes whole, and those behind it wait for longer.
   */
  turn(cost?: number): Promise<boolean>;
}

const TICK_MS = 20;

/**
 * Paces what anybody may ask of us. Whoever floods us waits for each answer before the next request, so answers that come
 * slowly make the flood slow, without asking from where it comes. Below the pace nobody waits.
 */
export function createThrottle({
  perSecond,
  waiting,
  burst = 1,
}: {
  perSecond: number;
  waiting: number;
  /** What may pass at once after a quiet time, where that is more than a tick's share. */
  burst?: number;
}): Throttle {
  const perTick = (perSecond * TICK_MS) / 1000;
  const most = Math.max(burst, perTick);
  const queue: { cost: number; go: (isTurn: boolean) => void }[] = [];
  let left = most;
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    left = Math.min(most, left + perTick);
    for (let next = queue[0]; next && left > 0; next = queue[0]) {
      queue.shift();
      left -= next.cost;
      next.go(true);
    }
    if (left < most) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    turn(cost = 1) {
      timer ??= setInterval(tick, TICK_MS).unref();
      if (left > 0 && queue.length === 0) {
        left -= cost;
        return Promise.resolve(true);
      }
      if (queue.length >= waiting) return Promise.resolve(false);
      return new Promise((resolve) => queue.push({ cost, go: resolve }));
    },
  };
}
