import type { Settings } from "./storage/settings.ts";

/** The server's time, which `POST /clock` can move forward. */
export interface Clock {
  nowMs(): number;
  advance(seconds: number): void;
}

/**
 * A clock that runs with the machine's, plus an offset.
 *
 * The offset is kept in storage, so that a restart never moves time backwards behind timestamps
 * that were already handed out.
 */
export function createClock(settings: Settings): Clock {
  let offsetMs = Number(settings.get("clockOffsetMs") ?? 0);
  return {
    nowMs: () => Date.now() + offsetMs,
    advance(seconds) {
      offsetMs += Math.round(seconds * 1000);
      settings.set("clockOffsetMs", String(offsetMs));
    },
  };
}
