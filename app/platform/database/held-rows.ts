import type { Transaction } from "./transactions.ts";

const heldBy = new WeakMap<Transaction, Map<string, unknown>>();

/**
 * The requests' rows that a transaction has locked, by their ids, as they are now: nobody else changes them before it ends, so
 * that they need not be read again. Whoever writes to `referral_requests` without being given the row empties it.
 */
export function heldRequests<Row>(tx: Transaction): Map<string, Row> {
  let held = heldBy.get(tx);
  if (!held) {
    held = new Map();
    heldBy.set(tx, held);
  }
  return held as Map<string, Row>;
}
