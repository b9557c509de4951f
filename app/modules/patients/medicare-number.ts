import { plainDigits } from "../../platform/typed-digits.ts";

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

/** A card number as it was typed, without what separates its groups on the card. */
export const tidyCardNumber = (value: string): string =>
  plainDigits(value).replace(/[\s./\p{Pd}]/gu, "");

/** The card number as the interface takes it: with the reference number, if there is one, as its 11th digit. */
export const withReference = (number: string, reference: string | null | undefined): string =>
  reference && number.length === 10 ? `${number}${reference}` : number;

/**
 * Whether it can be a file number of the Department of Veterans' Affairs: the letter of a state, up to three letters
 * of a conflict, up to six digits, and a letter for a dependant. The interface gives no form.
 */
export const isDvaNumber = (value: string): boolean =>
  /^[NVQSWT][A-Z]{0,3}\d{1,6}[A-Z]?$/.test(value);

/** A file number as it was typed, in capitals and without spaces. */
export const tidyDvaNumber = (value: string): string =>
  plainDigits(value).replace(/\s/g, "").toUpperCase();
