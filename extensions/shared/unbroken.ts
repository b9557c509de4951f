const NO_BREAK = "\u00a0";

/** Two to five groups of digits, as people write a telephone number: "02 5550 1234", "(03) 9000 0000", "+61 412 345 678", "13 11 26". */
const PHONE = /(?<![\d.,])(?:\+\d{1,3}|\(\d{2}\)|\d{2,4})(?: \d{2,4}){1,4}(?![\d.,]*\d)/g;

const MIN_DIGITS = 6;

/** The same text with each telephone number on one line: half of a number is read as a whole one. */
export const wholePhones = (text: string): string =>
  text.replace(PHONE, (number) =>
    number.replace(/\D/g, "").length < MIN_DIGITS ? number : unbroken(number),
  );

/** The same words on one line. */
export const unbroken = (words: string): string => words.replaceAll(" ", NO_BREAK);
