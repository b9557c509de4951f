/** Runs so many pieces of work at one time. */
export interface ConcurrencyLimit {
  /** Resolves with a function that ends the caller's place, or with null when too many wait already. */
  enter(): Promise<(() => void) | null>;
}

/** Makes a limit. `everyMs`: a place is given out again no sooner than so long after it was taken. */
export function createConcurrencyLimit(limits: {
  atOnce: number;
  waiting: number;
  everyMs?: number;
}): ConcurrencyLimit {
  const { atOnce, waiting, everyMs = 0 } = limits;
  const queue: ((leave: () => void) => void)[] = [];
  let inside = 0;

  function place(): () => void {
    inside++;
    const enteredAt = performance.now();
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const restMs = everyMs - (performance.now() - enteredAt);
      if (restMs > 0) setTimeout(next, restMs).unref();
      else next();
    };
  }

  function next(): void {
    inside--;
    queue.shift()?.(place());
  }

  return {
    enter() {
      if (inside < atOnce) return Promise.resolve(place());
      if (queue.length >= waiting) return Promise.resolve(null);
      return new Promise((resolve) => queue.push(resolve));
    },
  };
}
