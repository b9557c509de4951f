/**
 * Stands in the first name of somebody who has one name; that name is the last name. Services Australia wants it so in
 * Medicare claims, and the interface has no other way (docs/decisions/0053).
 */
export const ONLY_NAME = "Onlyname";

interface Names {
  firstName: string;
  lastName: string;
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
