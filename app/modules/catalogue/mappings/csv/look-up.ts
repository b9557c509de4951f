import { normalised } from "../../../../platform/normalised.ts";
import type { CatalogueTest } from "../../../referrals/snapshots.ts";

/** The meaning of a name or id in a file: one thing, none, or several. */
export type LookUpResult =
  | { kind: "found"; id: string }
  | { kind: "unknown" }
  | { kind: "several" };
export type LookUp = (text: string) => LookUpResult;

type Thing = Pick<CatalogueTest, "id" | "name"> & { shortName?: string };

/** Finds things by id, by name, or by short name, in this order; all in any case, and an id first as it is written. */
export function lookUpIn(things: readonly Thing[]): LookUp {
  const ids = new Set(things.map(({ id }) => id));
  const inAnyCase = idsBy(things, ({ id }) => id.toLowerCase());
  const byName = lookUpNamesIn(things);
  return (text) => {
    if (ids.has(text)) return { kind: "found", id: text };
    const matching = inAnyCase.get(text.toLowerCase());
    return matching ? onlyOf(matching) : byName(text);
  };
}

/** Finds things by name, or by short name, in any case. */
export function lookUpNamesIn(things: readonly Thing[]): LookUp {
  const names = idsBy(things, ({ name }) => fold(name));
  const shortNames = idsBy(things, ({ shortName = "" }) => fold(shortName));
  return (text) => {
    const matching = names.get(fold(text)) ?? shortNames.get(fold(text));
    return matching ? onlyOf(matching) : { kind: "unknown" };
  };
}

/** Whether two names are one, however they are written. */
export const isSameName = (one: string, other: string): boolean => fold(one) === fold(other);

function idsBy(things: readonly Thing[], keyOf: (thing: Thing) => string) {
  const found = new Map<string, Set<string>>();
  for (const thing of things) {
    const key = keyOf(thing);
    if (key) found.set(key, (found.get(key) ?? new Set()).add(thing.id));
  }
  return found;
}

function onlyOf(ids: ReadonlySet<string>): LookUpResult {
  const [only] = ids;
  return ids.size === 1 && only !== undefined ? { kind: "found", id: only } : { kind: "several" };
}

const fold = (text: string) => normalised(text, "NFKC").replace(/\s+/g, " ").trim().toLowerCase();
