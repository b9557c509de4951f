import type { Clock } from "../../app/platform/clock.ts";

export const START = new Date("2026-11-20T00:00:00.000Z");

/** A clock that moves only when told. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
}

export function movableClock(): MovableClock {
  let at = START.getTime();
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms;
    },
  };
}
