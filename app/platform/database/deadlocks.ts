import { z } from "zod";
import { Prisma } from "../../generated/prisma/client.ts";
import { repeatedTransactions } from "../counters.ts";

/** The transaction that the other one waited for gets through meanwhile, so that a second time is rare. */
const MAX_TRIES = 3;
/** Prisma's word for a transaction that the database ended for another one's sake. */
const ENDED_FOR_ANOTHER = "TransactionWriteConflict";
const NAMED = "P2034";

const rawFailure = z.object({
  driverAdapterError: z.object({ cause: z.object({ kind: z.string() }) }),
});

/**
 * Runs a transaction, and runs it again when it waited for another one that waited for it: PostgreSQL lets one of two
 * such go on and takes the other back whole. A job would be tried again in any case; a shopper or the staff would see
 * an error for nothing that they did.
 */
export async function despiteDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === MAX_TRIES || !isEndedForAnother(error)) throw error;
      repeatedTransactions.add({});
    }
  }
}

/** A statement of Prisma's own fails with a code for it, a raw one with the code of all raw ones. */
function isEndedForAnother(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const raw = rawFailure.safeParse(error.meta).data;
  return error.code === NAMED || raw?.driverAdapterError.cause.kind === ENDED_FOR_ANOTHER;
}
