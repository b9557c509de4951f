const LOCATIONS = "0123456789ABCDEFGHJKLMNPQRTUVWXY";
const CHECK_CHARACTERS = "YXWTLKJHFBA";
const WEIGHTS = [3, 5, 8, 4, 2, 1];
const LOCATION_WEIGHT = 6;

/**
 * Whether a Medicare provider number is well formed (interface §4.2 rule 9): six digits of the provider's
 * stem, a location character, and the check character over both.
 */
export function isProviderNumber(value: string): boolean {
  if (!/^\d{6}[0-9A-Z][A-Z]$/.test(value)) return false;
  const location = LOCATIONS.indexOf(value.charAt(6));
  if (location < 0) return false;
  const stem = WEIGHTS.reduce((sum, weight, at) => sum + weight * Number(value[at]), 0);
  return CHECK_CHARACTERS[(stem + LOCATION_WEIGHT * location) % 11] === value[7];
}
