import { normalised } from "../../../../platform/normalised.ts";
import type { CatalogueTest } from "../../../referrals/snapshots.ts";

/** The meaning of a name or id in a file: one thing, none, or several. */
export type LookUpResult =
  | { kind: "found"; id: string }
  | { kind: "unknown" }
  | { kind: "several" };
export type LookUp = (text: string) => LookUpResult;

/** Finds things by id, by name, or by short name, in this order; names in any case. */
export function lookUpIn(
  things: (Pick<CatalogueTest, "id" | "name"> & { shortName?: string })[],
): LookUp {
  const ids = new Map(things.map(({ id }) => [id.toLowerCase(), id]));
  const collect = (of: (thing: (typeof things)[number]) => string | undefined) => {
    const found = new Map<string, Set<string>>();
    for (const thing of things) {
      const key = fold(of(thing) ?? "");
      if (key) found.set(key, (found.get(key) ?? new Set()).add(thing.id));
    }
    return found;
  };
  const names = collect((thing) => thing.name);
  const shortNames = collect((thing) => thing.shortName);
  return (text) => {
    const id = ids.get(text.toLowerCase());
    if (id !== undefined) return { kind: "found", id };
    const matching = names.get(fold(text)) ?? shortNames.get(fold(text));
    if (!matching) return { kind: "unknown" };
    const [only] = matching;
    return matching.size === 1 && only !== undefined
      ? { kind: "found", id: only }
      : { kind: "several" };
  };
}

const fold = (text: string) => normalised(text, "NFKC").replace(/\s+/g, " ").trim().toLowerCase();
