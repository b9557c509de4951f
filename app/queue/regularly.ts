import type { Loop } from "./vitals.ts";

/** A turn that failed is done again so soon, however long the rest between two turns is. */
const AGAIN_MS = 10_000;

/**
 * Does something again and again: first after `firstMs`, then `everyMs` after each turn's end. Tells the loop how each
 * turn ended. `stop` resolves once the turn that was under way has.
 */
export function regularly(
  loop: Loop,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
  work: () => Promise<unknown>,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();
  let isStopped = false;
  const turnAfter = (ms: number) => {
    if (!isStopped) timer = setTimeout(turn, ms);
  };
  const turn = () => {
    underWay = work().then(
      () => {
        loop.turned();
        turnAfter(everyMs);
      },
      (error: unknown) => {
        loop.failed(error);
        turnAfter(Math.min(everyMs, AGAIN_MS));
      },
    );
  };
  turnAfter(firstMs);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return underWay;
    },
  };
}
