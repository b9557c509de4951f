import { calendarDay, isDay } from "../../platform/calendar-day.ts";
import { normalised } from "../../platform/normalised.ts";
import { dayOrMoment, isRealDay } from "../../platform/written-time.ts";
import { ONLY_NAME } from "../patients/person-name.ts";
import type { PatientOnRequest } from "./request-repository.ts";
import type { NamedPerson } from "./snapshots.ts";

/**
 * Whether a referral or a result names another person than the one it was ordered for (interface §2.1, §2.2, `person`). What the
 * service leaves out, shortens or writes in another way is no disagreement: names are compared without case, accents, marks,
 * titles, middle names and the order in which they stand, dates of birth as days, and card numbers as far as both have them. A given name
 * may be shortened where the date of birth is the same: else a sister would do.
 */
export const isOtherPerson = (named: NamedPerson | null, ordered: NamedPerson | null): boolean =>
  differences(named, ordered) > 0;

/**
 * Whether a referral that was its patient's names another person since. One fact of the patient that changed is put right at the
 * service, as a family name after a wedding. Two are somebody else's, also where they change one after the other, and so is one
 * that was never told before.
 */
export function hasBecomeOther(named: NamedPerson, whose: Whose): boolean {
  const changed = differences(named, meantBy(named, whose));
  const isPutRight =
    changed === 1 &&
    differences(named, whose.meant) === 1 &&
    differences(named, whose.ordered) === 1;
  return changed > 0 && !isPutRight;
}

/** Whether a result names another person than its referral means. */
export const isOtherThanMeant = (named: NamedPerson, whose: Whose): boolean =>
  differences(named, meantBy(named, whose)) > 0;

/** The person that a referral of this patient named when it was read last, and the one that it was ordered for. */
interface Whose {
  meant: NamedPerson;
  ordered: NamedPerson;
}

/** A reading vouches for no fact that it left out: there the patient is meant. */
const meantBy = (named: NamedPerson, { meant, ordered }: Whose): NamedPerson =>
  filledIn(meant, { from: ordered, isWholeName: wholeName(named) === wholeName(meant) });

/**
 * The person that a result means which named another one before: what a reading leaves out stands as it was. `named` is whom it names
 * now.
 */
export const namedSince = (
  named: NamedPerson | null,
  { before, ordered }: { before: NamedPerson; ordered: NamedPerson },
): NamedPerson =>
  named
    ? filledIn(named, { from: before, isWholeName: wholeName(named) === wholeName(ordered) })
    : before;

/** The facts that are stated of a person, and the others' from somebody else. `isWholeName`: of its two parts, an empty one is meant so. */
function filledIn(
  stated: NamedPerson,
  { from, isWholeName }: { from: NamedPerson; isWholeName: boolean },
): NamedPerson {
  const nameOr = (own: string, other: string) => (isWholeName || lettersOf(own) ? own : other);
  return {
    firstName: nameOr(stated.firstName, from.firstName),
    lastName: nameOr(stated.lastName, from.lastName),
    dob: (daysOf(stated).length > 0 ? stated : from).dob,
    medicareCardNumber: (isWholeCard(stated.medicareCardNumber) ? stated : from).medicareCardNumber,
  };
}

/** Whether a reading states each fact that was ordered with: what named somebody else is not put right by leaving that out. */
export const statesAll = (named: NamedPerson, ordered: NamedPerson): boolean =>
  (wholeName(named) === wholeName(ordered) ||
    (lettersOf(named.firstName) !== "" && lettersOf(named.lastName) !== "")) &&
  (ordered.dob === null || daysOf(named).length > 0) &&
  (!isWholeCard(ordered.medicareCardNumber) || digitsOf(named.medicareCardNumber) !== "");

/** By how many facts they differ: given name, family name, date of birth, card. */
function differences(named: NamedPerson | null, ordered: NamedPerson | null): number {
  if (!named || !ordered) return 0;
  const days = daysOf(named);
  const isOtherDay = !isOneOf(days, ordered.dob);
  const mayBeShort = days.length > 0 && ordered.dob !== null && !isOtherDay;
  return [
    isOtherDay,
    ...otherNames(named, ordered, { mayBeShort }),
    isOtherCard(named.medicareCardNumber, ordered.medicareCardNumber),
  ].filter(Boolean).length;
}

/** The person of the details that a unit was ordered with. */
export const orderedFor = ({ patient, medicare }: PatientOnRequest): NamedPerson => ({
  ...patient,
  medicareCardNumber: medicare?.medicareCardNumber ?? null,
});

type Names = Pick<NamedPerson, "firstName" | "lastName">;

/** Whether the family names differ, and the given ones. */
function otherNames(named: Names, ordered: Names, how: { mayBeShort: boolean }): boolean[] {
  // Some write the family name first, or the whole name into one field.
  if (wholeName(named) === wholeName(ordered)) return [];
  const last = [named, ordered].map(({ lastName }) => lettersOf(lastName));
  const isOtherLast = !last.includes("") && last[0] !== last[1];
  return [isOtherLast, isOtherGiven(named.firstName, ordered.firstName, how)];
}

const wholeName = ({ firstName, lastName }: Names): string =>
  [...givenNames(firstName), ...wordsOf(lastName)]
    .filter((word) => word !== ONLY_NAME.toUpperCase())
    .toSorted()
    .join("");

/** Given names differ unless one side has each of the other's, in full or shortened, or the letters are the same. */
function isOtherGiven(one: string, other: string, how: { mayBeShort: boolean }): boolean {
  const [given, others] = [givenNames(one), givenNames(other)];
  if (given.join("") === others.join("")) return false;
  const [fewer, left] = given.length < others.length ? [given, others] : [others, given];
  return !fewer.every((name) => {
    const isShort = (one: string) => one.startsWith(name) || name.startsWith(one);
    const at = left.findIndex((one) => one === name || (how.mayBeShort && isShort(one)));
    if (at === -1) return false;
    left.splice(at, 1);
    return true;
  });
}

const TITLES = new Set("MR MRS MS MISS MX MASTER MSTR DR PROF PROFESSOR REV SIR DAME".split(" "));

/** A title that stands alone is a name. */
function givenNames(firstName: string): string[] {
  const [first = "", ...rest] = wordsOf(firstName);
  return rest.length > 0 && TITLES.has(first) ? rest : wordsOf(firstName);
}

const DAY_FIRST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d\d)$/;
const YEAR_FIRST = /^(\d{4})[./-]?(\d\d)[./-]?(\d\d)(?!\d)/;
/** The ends of the country: midnight there, written in UTC, is the day before. */
const ZONES = ["Australia/Sydney", "Australia/Perth"];

/** Whether a date of birth may be one of these days. One that is missing, or that nobody can read, may be each. */
const isOneOf = (days: string[], day: string | null): boolean =>
  day === null || days.length === 0 || days.some((one) => day.endsWith(one));

/** The days on which somebody may have been born; none where that is missing, or nobody can read it. */
const daysOf = ({ dob }: Pick<NamedPerson, "dob">): string[] => daysIn((dob ?? "").trim());

/** The days that may be meant by a date in whatever form, as YYYY-MM-DD, or YY-MM-DD where no century is written. */
function daysIn(written: string): string[] {
  const [, year, month, date] = YEAR_FIRST.exec(written) ?? [];
  if (year) {
    const day = `${year}-${month}-${date}`;
    // A day that the calendar does not have says nothing.
    if (!isRealDay(day)) return [];
    const moment = dayOrMoment(written) ?? day;
    return isDay(moment) ? [day] : [day, ...ZONES.map((at) => calendarDay(new Date(moment), at))];
  }
  const [, one, other, of] = DAY_FIRST.exec(written) ?? [];
  if (!one || !other) return [];
  const [first, second] = [one.padStart(2, "0"), other.padStart(2, "0")];
  return [`${of}-${second}-${first}`, `${of}-${first}-${second}`];
}

/** A card has ten digits, and one more for a member of the family (interface §4.2). A masked number has fewer. */
function isOtherCard(one: string | null = null, other: string | null = null): boolean {
  if (!isWholeCard(one) || !isWholeCard(other)) return false;
  const [card, ordered] = [digitsOf(one), digitsOf(other)];
  const length = Math.min(card.length, ordered.length, 11);
  return card.slice(0, length) !== ordered.slice(0, length);
}

const digitsOf = (number: string | null | undefined): string => (number ?? "").replace(/\D/g, "");
const isWholeCard = (number: string | null | undefined): boolean => digitsOf(number).length >= 10;

/** Letters with a stroke or of two: Unicode does not take them apart, and laboratories print them plain. */
const PLAIN: Record<string, string> = {
  Đ: "D",
  Ð: "D",
  Ħ: "H",
  Ł: "L",
  Ø: "O",
  Ŧ: "T",
  Æ: "AE",
  Œ: "OE",
  Þ: "TH",
  ẞ: "SS",
};

/** An apostrophe parts no words; accents and other marks on a letter neither. */
const wordsOf = (name: string): string[] =>
  plainly(name)
    .replace(/[\p{Mark}'’‘ʼ`´]/gu, "")
    .split(/[^\p{Letter}]/u)
    .filter((word) => word !== "");

const lettersOf = (name: string): string => wordsOf(name).join("");

// Capitals, because some letters have no single one: laboratories print "Strauß" as "STRAUSS".
const plainly = (name: string) =>
  normalised(name, "NFKD")
    .toUpperCase()
    .replace(/[ĐÐĦŁØŦÆŒÞẞ]/gu, (letter) => PLAIN[letter] ?? letter);
