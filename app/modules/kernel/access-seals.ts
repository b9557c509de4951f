/** The head of a log's chain, as it is noted outside the database. */
export interface Anchor {
  shop: string;
  number: number;
  hash: string;
  sealedAt: string;
}

export interface AccessSealRepository {
  /**
   * Chains what is not chained yet, at most a batch. Nobody who writes to the log waits for it, and another process that
   * is at it makes this one leave the log alone. Returns the head of the chain, null while there is none, and whether
   * more is left.
   */
  sealNext(): Promise<{ head: Anchor | null; rows: number; isMoreLeft: boolean }>;
}
