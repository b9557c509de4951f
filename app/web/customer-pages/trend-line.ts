import type { EarlierValue } from "../../modules/access/result-history.ts";
import { numberIn } from "../../modules/referrals/range.ts";

/** Size of the picture in its own units. Narrow, so that its figures can be read in a window of 320 pixels. */
export const PICTURE = {
  width: 292,
  height: 132,
  left: 26,
  right: 26,
  top: 26,
  bottom: 34,
} as const;

export interface TrendPoint {
  x: number;
  y: number;
  label: string;
  /** Beside its point, where it does not meet its neighbours' labels. */
  labelBelow: boolean;
  isAbnormal: boolean;
  /** As the service gives it; null for what is no moment. */
  date: string | null;
}

export interface TrendLine {
  points: TrendPoint[];
  /** Where the expected range lies; an open end reaches the picture's edge and has no line. Null without a range. */
  band: { top: number; bottom: number; edges: number[] } | null;
}

/** Labels of so many points stand side by side; more take turns above and below. */
const MAX_IN_A_ROW = 6;
/** Points of one week would lie on each other in a line of years. */
const MIN_GAP = 22;

/**
 * Lays values out on a line, oldest first: across by their dates, up by their numbers, with the range that they are
 * read against. Values that are no numbers are left out; null when fewer than two are left.
 */
export function trendLine(
  values: EarlierValue[],
  range: { low: number | null; high: number | null },
): TrendLine | null {
  const known = values.flatMap((one) => {
    const number = numberIn(one.value);
    return number === null ? [] : [{ ...one, number }];
  });
  if (known.length < 2) return null;
  const { width, height, left, right, top, bottom } = PICTURE;
  const numbers = known.map(({ number }) => number);
  const ends = [range.low, range.high].filter((end) => end !== null);
  const [least, most] = [Math.min(...numbers, ...ends), Math.max(...numbers, ...ends)];
  const span = most - least || Math.abs(most) || 1;
  const yOf = (number: number) =>
    most === least
      ? (top + height - bottom) / 2
      : top + ((most - number) / span) * (height - top - bottom);
  const across = spread(
    known.map(({ date }) => Date.parse(date)),
    { from: left, to: width - right },
  );
  const points = known.map(({ number, value, isAbnormal, date }, index) => ({
    x: across[index] ?? left,
    y: yOf(number),
    label: value.trim(),
    labelBelow: known.length > MAX_IN_A_ROW && index % 2 === 1,
    isAbnormal,
    date: Number.isNaN(Date.parse(date)) ? null : date,
  }));
  return { points, band: bandOf(range, yOf) };
}

function bandOf(
  { low, high }: { low: number | null; high: number | null },
  yOf: (number: number) => number,
): TrendLine["band"] {
  const { height, top, bottom } = PICTURE;
  const from = high === null ? top - 8 : yOf(high);
  const to = low === null ? height - bottom + 8 : yOf(low);
  if ((low === null && high === null) || to <= from) return null;
  return {
    top: from,
    bottom: to,
    edges: [high, low].flatMap((end) => (end === null ? [] : [yOf(end)])),
  };
}

/** Moments, oldest first, as places from one end to the other, none nearer to the next than it can be read. */
function spread(moments: number[], { from, to }: { from: number; to: number }): number[] {
  const steps = moments.length - 1;
  const first = moments[0] ?? 0;
  // A result without a date still has its place in the sequence.
  const duration = moments.every(Number.isFinite) ? (moments[steps] ?? 0) - first : 0;
  const places = moments.map(
    (moment, index) =>
      from + (to - from) * (duration > 0 ? (moment - first) / duration : index / steps),
  );
  const gap = Math.min(MIN_GAP, (to - from) / steps);
  for (let index = 1; index <= steps; index++)
    places[index] = Math.max(places[index] ?? from, (places[index - 1] ?? from) + gap);
  for (let index = steps; index >= 0; index--)
    places[index] = Math.min(places[index] ?? to, to - (steps - index) * gap);
  return places;
}
