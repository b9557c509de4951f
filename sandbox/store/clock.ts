/**
 * The store's time. `POST /clock` moves it ahead of the machine's: tokens expire, retries fall due, orders get later
 * dates. What the app checks against its own clock (session tokens, signed queries) is stamped with {@link Clock.wall}.
 */
export interface Clock {
  nowMs(): number;
  /** `2026-07-01T10:00:00Z`, as Shopify's DateTime. */
  nowIso(): string;
  wallMs(): number;
  offsetMs(): number;
  advance(ms: number): void;
  /** Called after every advance; answers the function that ends it. */
  onAdvance(listener: () => void): () => void;
}

export function createClock(initialOffsetMs = 0): Clock {
  let offsetMs = initialOffsetMs;
  const listeners = new Set<() => void>();
  const nowMs = () => Date.now() + offsetMs;
  return {
    nowMs,
    nowIso: () => isoSeconds(nowMs()),
    wallMs: () => Date.now(),
    offsetMs: () => offsetMs,
    advance(ms) {
      offsetMs += ms;
      for (const listener of listeners) listener();
    },
    onAdvance(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Shopify's DateTime has whole seconds. */
const isoSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
