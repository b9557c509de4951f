import { calendarDay } from "../../../platform/calendar-day.ts";

/** Australian states and territories with the postcodes that Australia Post assigns to them. */
const POSTCODE_RANGES: Record<string, readonly (readonly [number, number])[]> = {
  NSW: [
    [1000, 2599],
    [2619, 2899],
    [2921, 2999],
  ],
  ACT: [
    [200, 299],
    [2600, 2618],
    [2900, 2920],
  ],
  VIC: [
    [3000, 3999],
    [8000, 8999],
  ],
  QLD: [
    [4000, 4999],
    [9000, 9999],
  ],
  SA: [[5000, 5999]],
  WA: [[6000, 6999]],
  TAS: [[7000, 7999]],
  NT: [[800, 999]],
};

// Places that lie over a border from the rest of their range.
const SHARED_POSTCODES: Record<string, readonly string[]> = {
  "2406": ["NSW", "QLD"],
  "2540": ["NSW", "ACT"],
  "2611": ["ACT", "NSW"],
  "2618": ["ACT", "NSW"],
  "2620": ["NSW", "ACT"],
  "3585": ["VIC", "NSW"],
  "3586": ["VIC", "NSW"],
  "3644": ["VIC", "NSW"],
  "3691": ["VIC", "NSW"],
  "3707": ["VIC", "NSW"],
  "4375": ["QLD", "NSW"],
  "4377": ["QLD", "NSW"],
  "4380": ["QLD", "NSW"],
  "4383": ["QLD", "NSW"],
  "4385": ["QLD", "NSW"],
  "4825": ["QLD", "NT"],
  "0872": ["NT", "SA", "WA"],
};

export const AUSTRALIAN_STATES = Object.keys(POSTCODE_RANGES);

const NAMES: Record<string, string> = {
  "NEW SOUTH WALES": "NSW",
  "AUSTRALIAN CAPITAL TERRITORY": "ACT",
  VICTORIA: "VIC",
  QUEENSLAND: "QLD",
  "SOUTH AUSTRALIA": "SA",
  "WESTERN AUSTRALIA": "WA",
  TASMANIA: "TAS",
  "NORTHERN TERRITORY": "NT",
};

/** The usual abbreviation of a state given in full or short; null when it is none. */
export function australianState(value: string): string | null {
  const text = value.trim().toUpperCase();
  const short = NAMES[text] ?? text;
  return AUSTRALIAN_STATES.includes(short) ? short : null;
}

/** Whether a four-digit postcode lies in a state. */
export function postcodeIsIn(postCode: string, state: string): boolean {
  if (!/^\d{4}$/.test(postCode)) return false;
  const shared = SHARED_POSTCODES[postCode];
  if (shared) return shared.includes(state);
  const number = Number(postCode);
  return (POSTCODE_RANGES[state] ?? []).some(([low, high]) => number >= low && number <= high);
}

const TIME_ZONES: Record<string, string> = {
  NSW: "Australia/Sydney",
  ACT: "Australia/Sydney",
  VIC: "Australia/Melbourne",
  QLD: "Australia/Brisbane",
  SA: "Australia/Adelaide",
  WA: "Australia/Perth",
  TAS: "Australia/Hobart",
  NT: "Australia/Darwin",
};

/** The day of a moment in a state, as YYYY-MM-DD; in Sydney when the state is not known. */
export function dayIn(state: string | null, moment: Date): string {
  return calendarDay(moment, TIME_ZONES[state ?? ""]);
}
