/**
 * Stands in the first name of somebody who has one name; that name is the last name. Services Australia wants it so in
 * Medicare claims, and the interface has no other way (docs/decisions/0053).
 */
export const ONLY_NAME = "Onlyname";

interface Names {
  firstName: string;
  lastName: string;
}

interface Person extends Names {
  /** YYYY-MM-DD */
  dob: string;
}

/** Whether somebody has one name, which is their last name. */
const hasOneName = ({ firstName }: Pick<Names, "firstName">): boolean =>
  firstName.trim().toLowerCase() === ONLY_NAME.toLowerCase();

/** The whole name as a person reads it. */
export const fullName = (names: Names): string =>
  hasOneName(names) ? names.lastName : `${names.firstName} ${names.lastName}`;

/** "Ngaire W.", or the one name that somebody has. */
export function nameAndInitial(names: Names): string {
  if (hasOneName(names)) return names.lastName;
  const [initial] = names.lastName;
  return initial ? `${names.firstName} ${initial.toLocaleUpperCase("en-AU")}.` : names.firstName;
}

/**
 * The same among others in one order: "Ana Walsh" and "Ana Webb" for two of "Ana W.", and with the year of birth for two of one
 * name, such as father and son.
 */
export function nameAmong(person: Person, others: readonly Person[]): string {
  const short = nameAndInitial(person);
  const namesakes = others.filter(
    (other) => !isSamePerson(other, person) && alike(nameAndInitial(other), short),
  );
  if (namesakes.length === 0) return short;
  const isOneName = namesakes.some((other) => alike(fullName(other), fullName(person)));
  return isOneName ? `${short} (born ${person.dob.slice(0, 4)})` : fullName(person);
}

const alike = (one: string, other: string): boolean => spelling(one) === spelling(other);
const spelling = (name: string): string => name.normalize("NFC").trim().toLowerCase();

/** Whether two entries are of one person: the same name and date of birth. */
export const isSamePerson = (one: Person, other: Person): boolean =>
  alike(fullName(one), fullName(other)) && one.dob === other.dob;
