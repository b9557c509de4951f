import { CRASH_POINTS, type CrashPoint } from "../../app/platform/crash-points.ts";
import type { Random } from "./random.ts";

const POINTS = Object.keys(CRASH_POINTS) as CrashPoint[];

/** The record of what has been done to the world so far. */
export interface Tally {
  /** SIGKILLs at each named point. */
  atPoint: Map<string, number>;
  /** SIGKILLs at no particular moment. */
  random: number;
  /** Processes that stood still (SIGSTOP) until everybody had given them up, and then went on (SIGCONT). */
  frozen: number;
  /** Processes that were asked to end (SIGTERM). */
  asked: number;
  database: number;
  /** For each fault, how often it was in force, and how many create calls came to the service meanwhile. */
  faults: Map<string, { phases: number; creates: number }>;
}

export const newTally = (): Tally => ({
  atPoint: new Map(POINTS.map((point) => [point, 0])),
  random: 0,
  frozen: 0,
  asked: 0,
  database: 0,
  faults: new Map(),
});

/** SIGKILLs of the app's own processes. */
export const killsOf = ({ atPoint, random }: Tally): number =>
  [...atPoint.values()].reduce((sum, kills) => sum + kills, random);

/** Points at which nobody has died yet. */
export const unreached = ({ atPoint }: Tally): string[] =>
  [...atPoint].filter(([, kills]) => kills === 0).map(([point]) => point);

/** All points, those first at which the fewest have died, and of these any: all stages of the work see deaths. */
export function rarestFirst({ atPoint }: Tally, random: Random): CrashPoint[] {
  const ranks = new Map(
    POINTS.map((point) => [point, (atPoint.get(point) ?? 0) + 0.9 * random.next()]),
  );
  return POINTS.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}
