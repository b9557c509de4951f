/** Facts of a form that a person at the collection centre goes by, where they stand in a referral (interface §2.1). */
const PLACES = [
  ...["firstName", "lastName", "dob", "gender", "phone"].map((field) => ["person", field]),
  ...["addressLine1", "addressLine2", "city", "state", "postCode", "country"].map((field) => [
    "person",
    "address",
    field,
  ]),
  ...[["tests"], ["reference"], ["referenceNumber"], ["medicare"]],
  ...["name", "address", "providerNumber"].map((field) => ["orderingPractitioner", field]),
  ...[["medicareCardNumber"], ["dvaNumber"], ["orderingPractitionerClinicalNotes"]],
  // The interface tells no end of a form. Fields may be added at any time (§9), and these are the usual names of one.
  ...[["expiresAt"], ["expiryDate"], ["validUntil"]],
];

/**
 * Whether two readings of a referral state other facts of its form. A fact that one of them leaves out differs from nothing: lists
 * leave some out, and a service that adds one changes no form by that. Both are as the service said them, or as they were stored.
 */
export function statesOtherForm(before: unknown, now: unknown): boolean {
  return PLACES.some((place) => {
    const [was, is] = [factAt(before, place), factAt(now, place)];
    return was !== null && is !== null && was !== is;
  });
}

/** The fact at a place, as far as it can be compared; null where none is stated. */
function factAt(reading: unknown, place: readonly string[]): string | null {
  const value = place.reduce<unknown>(
    (found, field) =>
      typeof found === "object" && found !== null
        ? (found as Record<string, unknown>)[field]
        : undefined,
    reading,
  );
  if (value === undefined || value === null || value === "") return null;
  if (Array.isArray(value)) return JSON.stringify(value.map(String).toSorted());
  // Spaces and capitals are how a service writes a fact, and no fact.
  return String(value).replaceAll(/\s+/g, "").toLowerCase();
}
