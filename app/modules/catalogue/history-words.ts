import type { MappingMeaning } from "../referrals/mapping-facts.ts";
import type { Catalogue } from "./catalogue.ts";
import { describeMapping, VARIANT_STATE_WORDS } from "./mapping-words.ts";
import { areSameNotes, areSamePreparation, meaningOf } from "./mappings/same-meaning.ts";
import type { MappingStep } from "./read-history.ts";

/** A change in words: who, and lines of what it was and what it became. */
export interface StepWords {
  who: string;
  /** "Mapping undone". */
  deed: string;
  /** "Tests: Full blood count". Empty when only texts changed. */
  from: string;
  to: string;
  /** Texts that changed. They are long, and the form above shows what they are now. */
  texts: string[];
}

/** Puts one change of a mapping into words. */
export function describeStep(step: MappingStep, catalogue: Catalogue | null): StepWords {
  const { actor, name, before, after } = step;
  const [from, to] = [wordsOf(before, catalogue), wordsOf(after, catalogue)];
  const isSame = from === to;
  return {
    who: name ?? (actor === "pathway" ? "Pathway" : "your staff"),
    deed: deedOf(step),
    from: isSame ? "" : from,
    to: isSame ? "" : to,
    texts: otherChanges(before, after, isSame),
  };
}

/** Changes between two orders that their tests don't show. */
function otherChanges(
  before: MappingMeaning | null,
  after: MappingMeaning | null,
  isSame: boolean,
): string[] {
  if (before?.kind !== "order" || after?.kind !== "order") return [];
  const meanings = [meaningOf(before), meaningOf(after)] as const;
  const [was, is] = [before, after].map(({ items }) => items.practitioner?.providerNumber);
  return [
    ...(areSamePreparation(...meanings) ? [] : ["Preparation changed"]),
    ...(areSameNotes(...meanings) ? [] : ["Clinical notes changed"]),
    ...(isSame && was !== is ? ["Practitioner changed"] : []),
  ];
}

const wordsOf = (meaning: MappingMeaning | null, catalogue: Catalogue | null): string =>
  describeMapping(meaning, catalogue).join("; ") || VARIANT_STATE_WORDS.unmapped.name;

function deedOf({ isUndo, isWholeProduct, before, after }: MappingStep): string {
  const whose = isWholeProduct ? " of the whole product" : "";
  if (isUndo) return `Change${whose} undone`;
  if (after === null) return `Mapping${whose} removed`;
  return before === null ? `Mapping${whose} added` : `Mapping${whose} changed`;
}
