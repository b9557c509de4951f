import type { ResultPerson } from "../snapshots.ts";

/**
 * Whether a result names another person than the one it was ordered for (interface §2.2, `person`). Names are compared
 * without case, accents, spaces and marks; a date of birth exactly. What the service leaves out says nothing.
 */
export function isOtherPerson(
  named: ResultPerson | null,
  ordered: { firstName: string; lastName: string; dob: string | null } | null,
): boolean {
  if (!named || !ordered) return false;
  const differs = (one: string, other: string) =>
    lettersOf(one) !== "" && lettersOf(one) !== lettersOf(other);
  return (
    differs(named.firstName, ordered.firstName) ||
    differs(named.lastName, ordered.lastName) ||
    Boolean(named.dob && ordered.dob && named.dob.slice(0, 10) !== ordered.dob)
  );
}

// Capitals, because some letters have no single one: laboratories print "Strauß" as "STRAUSS".
const lettersOf = (name: string) =>
  name
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^\p{Letter}]/gu, "");
