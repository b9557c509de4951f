/** The same text with each telephone number on one line: half of a number is read as a whole one. */
export const wholePhones = (text: string): string => text.replace(/([\d)]) (?=\d)/g, "$1\u00a0");
