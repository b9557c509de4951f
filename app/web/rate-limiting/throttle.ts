/** Lets so many pass each second, and the others one after another behind them. */
export interface Throttle {
  /** Resolves with true when it is the caller's turn; with false when too many wait. */
  turn(): Promise<boolean>;
}

const TICK_MS = 20;

/**
 * Paces answers to refused requests. Whoever floods us waits for each answer before the next request, so answers that come
 * slowly make the flood slow, without asking from where it comes. Below the pace nobody waits.
 */
export function createThrottle({
  perSecond,
  waiting,
}: {
  perSecond: number;
  waiting: number;
}): Throttle {
  const perTick = Math.max(1, Math.round((perSecond * TICK_MS) / 1000));
  const queue: ((isTurn: boolean) => void)[] = [];
  let left = perTick;
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    left = perTick;
    while (left > 0 && queue.length > 0) {
      left--;
      queue.shift()?.(true);
    }
    if (left < perTick) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    turn() {
      timer ??= setInterval(tick, TICK_MS).unref();
      if (left > 0 && queue.length === 0) {
        left--;
        return Promise.resolve(true);
      }
      if (queue.length >= waiting) return Promise.resolve(false);
      return new Promise((resolve) => queue.push(resolve));
    },
  };
}
