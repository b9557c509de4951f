interface UnitPart<State, Part> {
  part: Part;
  state: State;
  nextStep: string | null;
  isForToday?: boolean | null;
  resultId?: string | null;
}

interface Unit<State, Part, Document> {
  state: State;
  nextStep: string | null;
  documents: Document[];
  resultId?: string | null;
  parts: UnitPart<State, Part>[] | null;
}

/** A unit's card contents: all of the unit together, or those of one of its two referrals. */
export interface UnitGroup<State, Part, Document> {
  /** null: of the unit as a whole. */
  part: Part | null;
  state: State;
  nextStep: string | null;
  /** Whether the next step of one of two referrals is for today; that of the unit stands with the unit. */
  isForToday?: boolean | null;
  resultId: string | null;
  documents: Document[];
}

/**
 * A unit's documents and results by the referral that they are of: one group for a unit with one referral, one for each
 * part of a unit with two. What belongs to no part that is known comes first, so that nothing is lost.
 */
export function groupsOf<State, Part, Document extends { part: Part | null }>(
  unit: Unit<State, Part, Document>,
): UnitGroup<State, Part, Document>[] {
  const { state, nextStep, documents } = unit;
  const parts = unit.parts ?? [];
  const isOf = (part: Part) => (document: Document) => document.part === part;
  const groups = parts.map((one) => ({
    ...one,
    resultId: one.resultId ?? null,
    documents: documents.filter(isOf(one.part)),
  }));
  const resultId = unit.resultId ?? null;
  const whole = {
    part: null,
    state,
    nextStep,
    resultId: groups.some((one) => one.resultId === resultId) ? null : resultId,
    documents: documents.filter((document) => !parts.some(({ part }) => isOf(part)(document))),
  };
  const isEmpty = whole.resultId === null && whole.documents.length === 0;
  return parts.length > 0 && isEmpty ? groups : [whole, ...groups];
}

/** Whether the groups stand at different places, so that each has to say for itself where. */
export const standApart = (groups: { state: unknown }[]): boolean =>
  new Set(groups.map(({ state }) => state)).size > 1;
