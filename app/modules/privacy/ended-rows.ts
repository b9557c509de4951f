/** Deletes rows that nobody needs any more, at most a batch for each call. Each returns how many were deleted. */
export interface CleanUpRepository {
  /** Sessions, tickets, codes, links, shares, leases, simulations, alerts, imports and changes of mappings that ended long ago. */
  ended(now: Date): Promise<number>;
  /** Messages that were dealt with, or refused, before then; of a shop that never installed the app, those that wait for it too. */
  messages(before: Date): Promise<number>;
  /** Batches that were finished before then, items first. */
  batches(before: Date): Promise<number>;
}
