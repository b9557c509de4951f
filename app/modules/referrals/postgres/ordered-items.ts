import { Prisma } from "../../../generated/prisma/client.ts";
import { practitionerSchema } from "../ordered-items.ts";
import type { OrderedItems } from "../referral-service.ts";

/** Reads the ordered items from the columns that mappings and requests share. */
export function orderedItems(row: {
  bundleId: string | null;
  tests: string[];
  medicareTests: string[];
  practitioner: unknown;
}): OrderedItems {
  const { bundleId, tests, medicareTests } = row;
  const practitioner = practitionerSchema.parse(row.practitioner ?? null);
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
