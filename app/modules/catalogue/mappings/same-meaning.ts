import type { Mapping } from "../mapping.ts";
import type { MappingChange } from "../run.ts";

/** Returns the change that a stored mapping would be. */
export function meaningOf(mapping: Mapping | null): MappingChange {
  if (!mapping) return { kind: "unmapped" };
  if (mapping.kind === "ignored") return { kind: "ignored" };
  return { kind: "order", items: mapping.items, clinicalNotes: mapping.clinicalNotes };
}

/**
 * Whether two say the same, in whatever order their tests are. Only the practitioner's number counts, and notes only
 * where both say something of them.
 */
export function isSameMeaning(a: MappingChange, b: MappingChange): boolean {
  return keyOf(a) === keyOf(b) && areSameNotes(a, b);
}

/** Whether one leaves the other's clinical notes as they are. */
export function areSameNotes(a: MappingChange, b: MappingChange): boolean {
  const [one, other] = [notesOf(a), notesOf(b)];
  return one === undefined || other === undefined || one === other;
}

/** Notes go with Medicare tests only. Spreadsheets break lines in a way of their own. */
function notesOf(change: MappingChange): string | null | undefined {
  if (change.kind !== "order" || change.items.medicareTests.length === 0) return null;
  const { clinicalNotes } = change;
  return clinicalNotes ? clinicalNotes.replace(/\r\n?/g, "\n") : clinicalNotes;
}

function keyOf(change: MappingChange): string {
  if (change.kind !== "order") return change.kind;
  const { bundleId, tests, medicareTests, practitioner } = change.items;
  const number = medicareTests.length > 0 ? (practitioner?.providerNumber ?? "") : "";
  return JSON.stringify([bundleId, tests.toSorted(), medicareTests.toSorted(), number]);
}
