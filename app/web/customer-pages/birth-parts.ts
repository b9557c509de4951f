import { plainDigits } from "../../platform/typed-digits.ts";

/** The three fields of a date of birth, in the sequence in which Australians write it. */
export const BIRTH_PARTS = ["day", "month", "year"] as const;
export type BirthPart = (typeof BIRTH_PARTS)[number];

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** The date in one text, as the use case takes it: YYYY-MM-DD, with nothing where nothing was typed. */
export function joinBirthParts(typed: Record<BirthPart, string>): string {
  const part = (name: BirthPart) => plainDigits(typed[name]).trim().replaceAll("-", "/");
  const month = MONTHS.indexOf(part("month").slice(0, 3).toLowerCase()) + 1;
  const parts = [
    part("year"),
    twoDigits(month > 0 ? `${month}` : part("month")),
    twoDigits(part("day")),
  ];
  return parts.some(Boolean) ? parts.join("-") : "";
}

/** The three texts of a date that was joined or given before. */
export function splitBirthParts(date: string): Record<BirthPart, string> {
  const [year = "", month = "", day = ""] = date.split("-");
  return { day: plain(day), month: plain(month), year };
}

/** The fields that a fault of the date is about: those without a value, else all three. */
export function faultyBirthParts(date: string): BirthPart[] {
  const parts = splitBirthParts(date);
  const empty = BIRTH_PARTS.filter((name) => parts[name] === "");
  return empty.length > 0 ? empty : [...BIRTH_PARTS];
}

const twoDigits = (part: string) => (/^\d$/.test(part) ? `0${part}` : part);
const plain = (part: string) => part.replace(/^0(?=\d$)/, "");
