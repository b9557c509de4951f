const weights = [1, 3, 7, 9, 1, 3, 7, 9];

/** The ninth digit of a Medicare card number, computed from the first eight. */
export function cardCheckDigit(firstEight: string): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(firstEight[index]), 0) % 10;
}

/**
 * Whether a value is a Medicare card number: ten digits (the first from 2 to 6, the ninth a check
 * digit, the tenth the issue), optionally followed by the person's one-digit reference number
 * (interface §4.2 `medicareCardNumber`, §8).
 */
export function isMedicareCardNumber(value: unknown): value is string {
  return (
    typeof value === "string" &&
    /^[2-6]\d{9}\d?$/.test(value) &&
    cardCheckDigit(value.slice(0, 8)) === Number(value[8])
  );
}
