import type { OrderedItems } from "../referrals/referral-service.ts";
import type { CatalogueBundle, CatalogueTest } from "../referrals/snapshots.ts";
import type { StoreVariant } from "./store-products.ts";

/** Why something of the catalogue is suggested, strongest first. */
export type SuggestionReason = "same_sku" | "same_name" | "same_short_name" | "similar_name";

export interface Candidate {
  kind: "bundle" | "test";
  id: string;
  name: string;
  reason: SuggestionReason;
  /** 0 to 100. */
  score: number;
}

/**
 * `one` is good enough to be accepted with one click. Of `several` that are equally good none is: a person
 * chooses. Nothing is ever applied by itself.
 */
export type Suggestion =
  | { kind: "one"; candidate: Candidate }
  | { kind: "several"; candidates: Candidate[] };

/** Says nothing about which test it is. Not "panel", "check" or "studies": two things may differ in them only. */
const NOISE = new Set([
  "test",
  "tests",
  "blood",
  "pathology",
  "the",
  "a",
  "an",
  "of",
  "and",
  "for",
]);
/** Below this, words in common are chance. */
const MIN_SIMILARITY = 0.6;
const MAX_OFFERED = 5;
/** Nobody's product has a longer name that means something. */
const MAX_NAME = 300;

interface Known {
  kind: "bundle" | "test";
  id: string;
  name: string;
  codes: Set<string>;
  nameKey: string;
  shortKey: string;
  /** An id that is written as a name, for example "vitamin-d", is what people call the test. */
  idKey: string;
  words: Set<string>;
}

export type Suggester = (
  variant: Pick<StoreVariant, "productTitle" | "variantTitle" | "sku">,
) => Suggestion | null;

/**
 * Compares names and SKUs with a catalogue. Each reason has its score: the SKU is the thing's id or name (100); the names
 * are the same but for order, case and filling words (90); the short name or the id is the same (85); most words are the
 * same (up to 80). The title of a variant tells it from its neighbours: the product's name alone suggests nothing for it,
 * and a similar name has all of the variant's words.
 */
export function createSuggester(catalogue: {
  tests: Pick<CatalogueTest, "id" | "name" | "shortName">[];
  bundles: Pick<CatalogueBundle, "id" | "name">[];
}): Suggester {
  const known: Known[] = [
    ...catalogue.bundles.map(({ id, name }) =>
      toKnown({ kind: "bundle", id, name, shortName: "" }),
    ),
    ...catalogue.tests.map((test) => toKnown({ kind: "test", ...test })),
  ];
  return ({ productTitle, variantTitle, sku }) => {
    const code = codeOf(sku ?? "");
    const own = tellingWords(variantTitle ?? "");
    const product = productTitle.replace(/^(copy of\s+)+/i, "");
    const names = own.size > 0 ? [`${product} ${variantTitle}`, variantTitle ?? ""] : [product];
    const wordsOfNames = names.map(wordsOf);
    const asked = { code, own, names: wordsOfNames, keys: wordsOfNames.map(keyOf) };
    const candidates = known
      .flatMap((one) => judge(one, asked) ?? [])
      .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
    const [best] = candidates;
    if (!best) return null;
    const equal = candidates.filter((one) => one.score === best.score);
    return equal.length === 1
      ? { kind: "one", candidate: best }
      : { kind: "several", candidates: equal.slice(0, MAX_OFFERED) };
  };
}

/** Returns the items that an accepted candidate orders. */
export function itemsOf({ kind, id }: Pick<Candidate, "kind" | "id">): OrderedItems {
  const none = { bundleId: null, tests: [], medicareTests: [], practitioner: null };
  return kind === "bundle" ? { ...none, bundleId: id } : { ...none, tests: [id] };
}

function judge(
  one: Known,
  asked: { code: string; keys: string[]; names: Set<string>[]; own: Set<string> },
): Candidate | null {
  const { kind, id, name } = one;
  const { code, keys, names, own } = asked;
  const found = (reason: SuggestionReason, score: number) => ({ kind, id, name, reason, score });
  if (code.length > 1 && one.codes.has(code)) return found("same_sku", 100);
  if (one.nameKey && keys.includes(one.nameKey)) return found("same_name", 90);
  if ([one.shortKey, one.idKey].some((key) => key && keys.includes(key)))
    return found("same_short_name", 85);
  if (![...own].every((word) => one.words.has(word))) return null;
  const similarity = Math.max(0, ...names.map((words) => shared(words, one.words)));
  return similarity >= MIN_SIMILARITY ? found("similar_name", Math.round(similarity * 80)) : null;
}

function toKnown({
  kind,
  id,
  name,
  shortName,
}: Omit<Candidate, "reason" | "score"> & { shortName: string }): Known {
  const words = wordsOf(name);
  const codes = new Set([id, name, shortName].map(codeOf).filter(Boolean));
  return {
    kind,
    id,
    name,
    codes,
    nameKey: keyOf(words),
    shortKey: keyOf(wordsOf(shortName)),
    idKey: keyOf(wordsOf(id)),
    words,
  };
}

/** A SKU without its signs: "FE-STUDIES" and "fe studies" are one. */
const codeOf = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, "");

/** Words that tell things apart, however they are written. A name of filling words only keeps them. */
function wordsOf(name: string): Set<string> {
  const telling = tellingWords(name);
  return telling.size > 0 ? telling : new Set(allWords(name));
}

const tellingWords = (name: string) => new Set(allWords(name).filter((word) => !NOISE.has(word)));

const allWords = (name: string) => fold(name).match(/[\p{L}\p{N}]+/gu) ?? [];

const keyOf = (words: Set<string>) => [...words].sort().join(" ");

function fold(text: string): string {
  return text
    .slice(0, MAX_NAME)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/['’]/g, "")
    .toLowerCase();
}

/** Words in common as a part of all words of both. */
function shared(a: Set<string>, b: Set<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}
