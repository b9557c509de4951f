const WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9];

/**
 * Whether a Medicare card number is well formed: 10 digits beginning with 2 to 6, whose ninth is the check
 * digit of the first eight, optionally followed by the 1-digit individual reference number (interface §8).
 */
export function isMedicareCardNumber(value: string): boolean {
  if (!/^[2-6]\d{9}[1-9]?$/.test(value)) return false;
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(value[at]), 0);
  return sum % 10 === Number(value[8]);
}
