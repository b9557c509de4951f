/** The facts that tell one unit from another, as the app sends them. */
export interface NamedUnit {
  title: string;
  orderName: string;
  patientName?: string | null;
  /** The number among all tests of the order; `of` is null where the reader is not told how many it has. */
  inOrder?: { number: number; of: number | null } | null;
  /** How often the unit was ordered again before. */
  replacement?: number | null;
}

type Words = (key: string, values?: Record<string, string | number>) => string;

/**
 * The unit's full name, for whoever hears a page instead of seeing it: "Iron studies, Ngaire W., test 1 of 2, order #1001".
 * No two units of a customer have the same one.
 */
export function unitName(unit: NamedUnit, words: Words): string {
  const order = words("unit.order", { name: unit.orderName });
  return [unit.title, unit.patientName, several(unit, words), anew(unit, words), order]
    .filter(Boolean)
    .join(", ");
}

/** The line under the unit's title: "For Ngaire W. · Test 1 of 2". Null where there is nothing to say. */
export function unitLine(unit: NamedUnit, words: Words): string | null {
  const patient = unit.patientName ? words("unit.for", { name: unit.patientName }) : null;
  return [patient, several(unit, words), anew(unit, words)].filter(Boolean).join(" · ") || null;
}

/** "Test 1 of 2", or "Test 2" where the reader is not told how many the order has. Null for a test that is alone. */
const several = ({ inOrder }: NamedUnit, words: Words): string | null =>
  inOrder && inOrder.of !== 1
    ? words(inOrder.of ? "unit.several" : "unit.number", inOrder as Record<string, number>)
    : null;

/** "Replacement 1": the form of the order before must not be used. */
const anew = ({ replacement: number }: NamedUnit, words: Words): string | null =>
  number ? words("unit.replacement", { number }) : null;
