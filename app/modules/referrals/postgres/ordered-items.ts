import { Prisma } from "../../../generated/prisma/client.ts";
import { practitionerSchema } from "../ordered-items.ts";
import type { OrderedItems } from "../referral-service.ts";

/** Made once: to make one takes fifty times as long as to read by it, and every row of a request is read by it. */
const storedPractitioner = practitionerSchema.nullable();

/** Reads the ordered items from the columns that mappings and requests share. */
export function orderedItems(row: {
  bundleId: string | null;
  tests: string[];
  medicareTests: string[];
  practitioner: unknown;
}): OrderedItems {
  const { bundleId, tests, medicareTests } = row;
  const practitioner = storedPractitioner.parse(row.practitioner ?? null);
  return { bundleId, tests, medicareTests, practitioner };
}

export function toItemColumns({ bundleId, tests, medicareTests, practitioner }: OrderedItems) {
  return {
    bundleId,
    tests,
    medicareTests,
    practitioner: practitioner ? { ...practitioner } : Prisma.DbNull,
  };
}
