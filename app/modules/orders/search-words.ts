import { normalised } from "../../platform/normalised.ts";
import type { Buyer } from "./order.ts";

/** More words say nothing more: an order of many products is found by its first ones. */
const MAX_WORDS = 60;
/** Of what somebody typed. */
const MAX_SEARCHED = 6;

/** What an order is found by, beside its number and its references. */
export interface Findable {
  buyer: Buyer | null;
  titles: string[];
  tags?: string[];
}

/** A letter of a script without capitals, such as a Chinese character: one is a whole name. */
const CASELESS = /\p{Lo}/u;

/**
 * The words of a text, as they are compared: lower case, without accents and apostrophes. A single letter of an alphabet finds
 * nothing that is worth looking at.
 */
function wordsOf(text: string): string[] {
  const plain = normalised(text, "NFKD")
    .replace(/[\p{M}'’‘`]/gu, "")
    .toLowerCase();
  const words = plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 || CASELESS.test(word));
  return [...new Set(words)];
}

/** Letters that are no letter with an accent, as they are typed where no key has them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ đ: "d", ð: "d", ø: "o", ł: "l", ß: "ss", æ: "ae", œ: "oe", þ: "th", ı: "i", ħ: "h" },
};
const STROKED = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "g");

/** A word with its plain spelling, where that is another. Both find the order: people type either. */
const spellings = (word: string) => [
  word,
  word.replace(STROKED, (letter) => PLAIN_LETTERS[letter] ?? letter),
];

/** A name that is written without a space, with the family name before the other and after it. */
function joinedName({ firstName, lastName }: Pick<Buyer, "firstName" | "lastName">): string[] {
  const [first, last] = [firstName?.trim() ?? "", lastName?.trim() ?? ""];
  return CASELESS.test(first) && CASELESS.test(last) ? [`${last}${first}`, `${first}${last}`] : [];
}

/** Two words as one, in whatever order they were typed. */
const pairOf = (one: string, other: string) => [one, other].toSorted().join(" ");

const pairsOf = (words: string[]) =>
  words.flatMap((one, index) => words.slice(index + 1).map((other) => pairOf(one, other)));

/**
 * Everything that finds an order: the words of its buyer's name, each two of them as a pair, the whole e-mail address, and
 * the words of its products and tags. The pairs find "Jane Smith" without looking through everybody who is called Jane.
 */
export function searchWords({ buyer, titles, tags = [] }: Findable): string[] {
  const name = wordsOf(`${buyer?.firstName ?? ""} ${buyer?.lastName ?? ""}`).slice(0, MAX_SEARCHED);
  const email = buyer?.email?.trim().toLowerCase();
  const words = [
    ...(email ? [email] : []),
    ...name,
    ...pairsOf(name),
    ...(buyer ? joinedName(buyer).flatMap(wordsOf) : []),
    ...[...tags, ...titles].flatMap(wordsOf),
  ].flatMap(spellings);
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** What somebody typed, as words of which an order must have every one; pairs of them may stand for two. */
export interface SoughtWords {
  words: string[];
  pairs: { pair: string; of: [string, string] }[];
}

/** Reads what was typed: one e-mail address, or some words. Null when there is nothing in it to look for. */
export function soughtWords(typed: string): SoughtWords | null {
  const text = typed.trim();
  if (text.includes("@")) return { words: [text.toLowerCase()], pairs: [] };
  const words = wordsOf(text).slice(0, MAX_SEARCHED);
  if (words.length === 0) return null;
  const pairs = words.flatMap((one, index) =>
    words.slice(index + 1).map((other) => {
      const of: [string, string] = [one, other];
      return { pair: pairOf(one, other), of };
    }),
  );
  return { words, pairs };
}
