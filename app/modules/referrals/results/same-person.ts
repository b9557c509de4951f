import { normalised } from "../../../platform/normalised.ts";
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

// Capitals, because some letters have no single one: laboratories print "Strauß" as "STRAUSS".
const lettersOf = (name: string) =>
  normalised(name, "NFKD")
    .toUpperCase()
    .replace(/[ĐÐĦŁØŦÆŒÞẞ]/gu, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{Letter}]/gu, "");
