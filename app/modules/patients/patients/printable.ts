import { normalised } from "../../../platform/normalised.ts";

/** Signs that look the same as others that every form has. */
const ALIKE: Record<string, string> = {
  "\u02bb": "‘",
  "\u02bc": "’",
  "\u2010": "-",
  "\u2011": "-",
  "\u2212": "-",
};

/** How far a wide sign, as a Chinese or Japanese keyboard types it, stands from the plain one. */
const WIDE = 0xfee0;

/**
 * Typed text in one spelling: accents joined with their letters, the usual sign where several look alike, and the plain letter,
 * digit or space where a wide one was typed.
 */
export const inOneSpelling = (text: string): string =>
  normalised(text, "NFC")
    .replace(/[\u02bb\u02bc\u2010\u2011\u2212]/g, (sign) => ALIKE[sign] ?? sign)
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - WIDE))
    .replace(/\p{Zs}/gu, " ");

/**
 * Signs that a referral form prints: Latin letters of every European language and of Vietnamese, Greek, Cyrillic, and usual
 * punctuation (docs/decisions/0054).
 */
const PRINTABLE =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u024f\u0370-\u03ff\u0400-\u045f\u1e00-\u1ef9\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]$/u;

/** Signs that have no shape of their own, or that would only turn up as damage. */
const UNSEEN = /^[\p{C}\p{Z}]$/u;

/** At most so many signs are named in one sentence. */
const MAX_NAMED = 5;

/** Why a text cannot stand on a printed form, naming the signs that cannot; null when it can. */
export function printFault(text: string, label: string): string | null {
  const refused = [...new Set(text)].filter((sign) => !PRINTABLE.test(sign));
  if (refused.length === 0) return null;
  const shown = refused.filter((sign) => !UNSEEN.test(sign)).slice(0, MAX_NAMED);
  if (shown.length === 0)
    return `We can’t print a hidden character in ${label}. Delete it and type it again.`;
  const advice = shown.some((sign) => /\p{L}|\p{M}/u.test(sign))
    ? "Write it in Latin letters, as on a passport or Medicare card."
    : "Leave it out.";
  return `We can’t print ${shown.map((sign) => `“${sign}”`).join(", ")} in ${label}. ${advice}`;
}
