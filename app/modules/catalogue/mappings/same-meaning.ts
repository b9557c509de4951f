import type { MappingMeaning } from "../../referrals/mapping-facts.ts";
import type { MappingChange } from "../run.ts";

/** Returns the change that a stored mapping would be. */
export function meaningOf(mapping: MappingMeaning | null): MappingChange {
  if (!mapping) return { kind: "unmapped" };
  if (mapping.kind === "ignored") return { kind: "ignored" };
  const { items, clinicalNotes, preparation } = mapping;
  return { kind: "order", items, clinicalNotes, preparation };
}

/**
 * Whether two say the same, in whatever order their tests are. Only the practitioner's number counts, and texts only
 * where both say something of them.
 */
export function isSameMeaning(a: MappingChange, b: MappingChange): boolean {
  return keyOf(a) === keyOf(b) && areSameNotes(a, b) && areSamePreparation(a, b);
}

/** Whether one leaves the other's clinical notes as they are. */
export function areSameNotes(a: MappingChange, b: MappingChange): boolean {
  const [one, other] = [notesOf(a), notesOf(b)];
  return one === undefined || other === undefined || one === other;
}

/** Whether one leaves the other's preparation as it is. */
export function areSamePreparation(a: MappingChange, b: MappingChange): boolean {
  const [one, other] = [preparationOf(a), preparationOf(b)];
  return one === undefined || other === undefined || one === other;
}

const preparationOf = (change: MappingChange): string | null | undefined =>
  change.kind === "order" ? withPlainBreaks(change.preparation) : null;

/** Spreadsheets break lines in a way of their own. */
const withPlainBreaks = (text: string | null | undefined) =>
  text ? text.replace(/\r\n?/g, "\n") : text;

/** Notes go with Medicare tests only. */
function notesOf(change: MappingChange): string | null | undefined {
  if (change.kind !== "order" || change.items.medicareTests.length === 0) return null;
  return withPlainBreaks(change.clinicalNotes);
}

function keyOf(change: MappingChange): string {
  if (change.kind !== "order") return change.kind;
  const { bundleId, tests, medicareTests, practitioner } = change.items;
  const number = medicareTests.length > 0 ? (practitioner?.providerNumber ?? "") : "";
  return JSON.stringify([bundleId, tests.toSorted(), medicareTests.toSorted(), number]);
}
