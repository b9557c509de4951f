import { repeatedTransactions } from "../counters.ts";
import { driverCause } from "./driver-cause.ts";

/** The transaction that the other one waited for gets through meanwhile, so that a second time is rare. */
const MAX_TRIES = 3;
/** Prisma's word for a transaction that the database ended for another one's sake. */
const ENDED_FOR_ANOTHER = "TransactionWriteConflict";

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

const isEndedForAnother = (error: unknown): boolean =>
  driverCause(error)?.kind === ENDED_FOR_ANOTHER;
