/** A reference interval; null is an open end. */
export interface Range {
  low: number | null;
  high: number | null;
}

export type Zone = "below" | "within" | "above";

/** Where a value lies, in hundredths of the drawn bar, and how the bar is divided. */
export interface Placement {
  zone: Zone;
  /** 0 to 100, from the left edge; values off the bar stand at its edge. */
  valuePercent: number;
  /** Where the interval begins and ends on the bar. */
  lowPercent: number;
  highPercent: number;
}
