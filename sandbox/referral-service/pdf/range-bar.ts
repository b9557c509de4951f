import { palette } from "./palette.ts";
import type { Sheet } from "./sheet.ts";

/** Where the interval's ends lie on a bar, as shares of its width. */
const lowShare = 0.28;
const highShare = 0.72;

/**
 * Places a value on a bar from 0 to 1. The interval takes the middle; what lies beyond is squeezed
 * towards the ends, so that extreme values stay on the bar and keep their order.
 */
export function positionOnBar(
  value: number,
  low: number | null,
  high: number | null,
): number | null {
  const squeeze = (distance: number) => 1 - 1 / (1 + distance);
  if (low !== null && high !== null) {
    const span = high - low || 1;
    if (value < low) return lowShare - (lowShare - 0.02) * squeeze((low - value) / span);
    if (value > high) return highShare + (0.98 - highShare) * squeeze((value - high) / span);
    return lowShare + ((highShare - lowShare) * (value - low)) / span;
  }
  const limit = high ?? low;
  if (limit === null) return null;
  const scale = Math.abs(limit) || 1;
  const edge = high !== null ? highShare : lowShare;
  if (value > limit) return edge + (0.98 - edge) * squeeze((value - limit) / scale);
  return edge - (edge - 0.02) * Math.min(1, (limit - value) / scale);
}

/** A value with the interval it is compared with. */
export interface BarContent {
  value: number;
  low: number | null;
  high: number | null;
  /** Whether the mark is to stand out. */
  alarming: boolean;
}

/** Draws an interval as a bar with a mark at the value. */
export function drawRangeBar(
  sheet: Sheet,
  place: { x: number; y: number; width: number; thickness: number },
  { value, low, high, alarming }: BarContent,
): void {
  const position = positionOnBar(value, low, high);
  if (position === null) return;
  const { x, y, width, thickness } = place;
  const from = low === null ? 0 : lowShare;
  const to = high === null ? 1 : highShare;
  const radius = thickness / 2;
  const middle = y + 4;
  sheet.box(x, middle - radius, width, thickness, { fill: palette.hairline, radius });
  sheet.box(x + width * from, middle - radius, width * (to - from), thickness, {
    fill: palette.inRange,
    radius,
  });
  sheet.doc
    .circle(x + width * position, middle, thickness * 0.85)
    .lineWidth(0.8)
    .fillAndStroke(alarming ? palette.abnormal : palette.ink, "#ffffff");
}
