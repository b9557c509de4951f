const firstReference = 10_000_000;
const howMany = 90_000_000;

/** Coprime to `howMany`, so that every order number below it gives another reference. */
const step = 48_271_003;

/**
 * The service's own reference: 8 digits, unique (interface §2.1). A permutation of the order
 * numbers, so uniqueness needs no look-up and neighbours do not look alike.
 */
export function referenceOf(seq: number): string {
  const position = Number((BigInt(seq) * BigInt(step)) % BigInt(howMany));
  return String(firstReference + position);
}
