import { Prisma } from "../../../generated/prisma/client.ts";
import { practitionerSchema } from "../ordered-items.ts";
import type { OrderedItems } from "../referral-service.ts";

/** Reads the ordered items of a row. An empty list may be null there. */
export function orderedItems(row: {
  bundleId: string | null;
  tests: string[] | null;
  medicareTests: string[] | null;
  practitioner: unknown;
}): OrderedItems {
  const { bundleId } = row;
  const [tests, medicareTests] = [row.tests ?? [], row.medicareTests ?? []];
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
