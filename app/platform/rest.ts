/** Rests for a time, or until the signal ends the rest. Returns whether the rest was whole. */
export function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const end = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
