/** The same text with each telephone number on one line: half of a number is read as a whole one. */
export const wholePhones = (text: string): string =>
  text.replace(/([\d)]) (?=\d)|(\+\d{1,3}) (?=\(\d)/g, "$1$2\u00a0");
