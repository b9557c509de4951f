/** A standard plan's bucket: 2,000 points, filled with 100 a second, per app and shop. */
const maximumAvailable = 2_000;
const restoreRate = 100;
/** No single operation may ask for more. */
export const maxSingleCost = 1_000;

export interface ThrottleStatus {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

/** Leaky bucket in real time: moving the store's clock does not fill it. */
export interface Throttle {
  /** Takes the points, or answers false and takes nothing. */
  take(points: number): boolean;
  /** Gives back what the operation did not use. */
  giveBack(points: number): void;
  status(): ThrottleStatus;
}

export function createThrottle(nowMs: () => number = () => performance.now()): Throttle {
  let available = maximumAvailable;
  let filledAtMs = nowMs();
  const fill = () => {
    const now = nowMs();
    available = Math.min(maximumAvailable, available + ((now - filledAtMs) / 1000) * restoreRate);
    filledAtMs = now;
  };
  return {
    take(points) {
      fill();
      if (points > available) return false;
      available -= points;
      return true;
    },
    giveBack(points) {
      fill();
      available = Math.min(maximumAvailable, available + points);
    },
    status() {
      fill();
      return { maximumAvailable, currentlyAvailable: Math.floor(available), restoreRate };
    },
  };
}
