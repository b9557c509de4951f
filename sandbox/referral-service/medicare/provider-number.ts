/** Practice location characters in the order of their values; I, O, S and Z are not used. */
const locations = "0123456789ABCDEFGHJKLMNPQRTUVWXY";

/** Check characters in the order of the remainder modulo 11. */
const checkCharacters = "YXWTLKJHFBA";

const stemWeights = [3, 5, 8, 4, 2, 1];
const locationWeight = 6;

/** The check character for a 6-digit stem and a location character, or null if they cannot be. */
export function checkCharacter(stem: string, location: string): string | null {
  const locationValue = locations.indexOf(location);
  if (!/^\d{6}$/.test(stem) || location.length !== 1 || locationValue < 0) return null;
  const sum = stemWeights.reduce(
    (total, weight, index) => total + weight * Number(stem[index]),
    locationValue * locationWeight,
  );
  return checkCharacters[sum % 11] ?? null;
}

/**
 * Brings a Medicare provider number into its stored form (upper case), or null when it is not a
 * valid one: six digits, a practice location and a check character (interface §4.2 rule 9, §8).
 */
export function readProviderNumber(value: unknown): string | null {
  if (typeof value !== "string" || value.length !== 8) return null;
  const number = value.toUpperCase();
  const expected = checkCharacter(number.slice(0, 6), number.slice(6, 7));
  return expected !== null && expected === number.slice(7) ? number : null;
}
