/** Work that is put off, and forgotten when the server stops. */
export interface Later {
  run(afterMs: number, work: () => void): void;
  stop(): void;
}

/** Keeps track of its timers, so that none fires into a closed database. */
export function createLater(): Later {
  const timers = new Set<NodeJS.Timeout>();
  return {
    run(afterMs, work) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, afterMs);
      timers.add(timer);
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
