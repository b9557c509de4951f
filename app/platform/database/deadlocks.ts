import { repeatedTransactions } from "../counters.ts";
import { refusalOf } from "./refusal.ts";

/** The transaction that the other one waited for gets through meanwhile, so that a second time is rare. */
const MAX_TRIES = 3;
/** PostgreSQL's codes for a transaction that it ended for another one's sake. */
const ENDED_FOR_ANOTHER = new Set(["40001", "40P01"]);

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
  ENDED_FOR_ANOTHER.has(refusalOf(error)?.code ?? "");
