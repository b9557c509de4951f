import { z } from "zod";

const causeSchema = z.looseObject({ kind: z.string(), originalCode: z.string().optional() });
const failureSchema = z.union([
  // A statement's own failure.
  z.object({ meta: z.object({ driverAdapterError: z.object({ cause: causeSchema }) }) }),
  // A COMMIT's: Prisma hands on what the driver said.
  z.object({ cause: causeSchema }),
]);

/** The driver's words on a statement or a COMMIT that failed: Prisma's word for it, and PostgreSQL's code. */
export function driverCause(error: unknown): z.infer<typeof causeSchema> | null {
  const { data } = failureSchema.safeParse(error);
  if (!data) return null;
  return "meta" in data ? data.meta.driverAdapterError.cause : data.cause;
}
