import { z } from "zod";

const causeSchema = z.object({
  originalCode: z.string(),
  constraint: z.object({ index: z.string() }).optional().catch(undefined),
});
const failureSchema = z.union([
  // A statement that was written out, and a COMMIT.
  z.object({ severity: z.string(), code: z.string(), constraint: z.string().optional() }),
  // A statement of Prisma's.
  z.object({ meta: z.object({ driverAdapterError: z.object({ cause: causeSchema }) }) }),
]);

/** PostgreSQL's code for a statement or a COMMIT that it refused, and the constraint that refused it. */
export interface Refusal {
  code: string;
  constraint: string | null;
}

/** By which PostgreSQL refused a statement or a COMMIT, or null when it did not. */
export function refusalOf(error: unknown): Refusal | null {
  const { data } = failureSchema.safeParse(error);
  if (!data) return null;
  if ("severity" in data) return { code: data.code, constraint: data.constraint ?? null };
  const { originalCode, constraint } = data.meta.driverAdapterError.cause;
  return { code: originalCode, constraint: constraint?.index ?? null };
}
