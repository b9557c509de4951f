import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Biomarker } from "../catalogue/entries.ts";
import type { Person } from "../referrals/referral.ts";

/** A test's biomarkers for a person; those of the other sex are left out unless nothing remains. */
function biomarkersOf(catalogue: Catalogue, testId: string, gender: Person["gender"]): Biomarker[] {
  const all = (catalogue.tests.get(testId)?.biomarkers ?? [])
    .map((id) => catalogue.biomarkers.get(id))
    .filter((entry) => entry !== undefined);
  const fitting = all.filter((entry) => entry.onlyFor === undefined || entry.onlyFor === gender);
  return fitting.length > 0 ? fitting : all;
}

function distinct(biomarkers: Biomarker[]): Biomarker[] {
  return [...new Map(biomarkers.map((entry) => [entry.id, entry])).values()];
}

/** All biomarkers that complete results of these tests contain. */
export function completeSet(
  catalogue: Catalogue,
  tests: string[],
  gender: Person["gender"],
): Biomarker[] {
  return distinct(tests.flatMap((id) => biomarkersOf(catalogue, id, gender)));
}

/**
 * The biomarkers of the next partial results: whole tests as laboratories report them, one more
 * than before, but never all. A single test comes in halves.
 */
export function partialSet(
  catalogue: Catalogue,
  tests: string[],
  gender: Person["gender"],
  alreadyReported: ReadonlySet<string>,
): Biomarker[] {
  const complete = completeSet(catalogue, tests, gender);
  const perTest = tests.map((id) => biomarkersOf(catalogue, id, gender));
  const finished = perTest.filter((set) => set.every((entry) => alreadyReported.has(entry.id)));
  const wanted = Math.min(
    tests.length - 1,
    alreadyReported.size === 0 ? Math.ceil(tests.length / 2) : finished.length + 1,
  );
  const chosen = distinct(perTest.slice(0, wanted).flat());
  if (chosen.length > 0 && chosen.length < complete.length) return chosen;
  const half = Math.ceil(complete.length / 2);
  const more = Math.min(complete.length - 1, alreadyReported.size + 1);
  return complete.slice(0, Math.max(1, half, more));
}
