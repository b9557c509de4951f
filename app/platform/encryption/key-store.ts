/**
 * Where keys lie that must not be in PostgreSQL: its log and dead rows keep what a row said (docs/decisions/0038).
 * Every process of an installation sees the same entries, and what was removed comes back from no copy. A folder is
 * one (key-folder.ts); a service that keeps secrets can be another.
 */
export interface KeyStore {
  /** Is on disk for good when this resolves. A reader sees the whole entry or none. */
  put(name: string, value: Buffer): Promise<void>;
  /** Null when there is no such entry. */
  get(name: string): Promise<Buffer | null>;
  /** Names directly under a name, sorted. */
  list(under: string): Promise<string[]>;
  /** Removes an entry, or everything under a name. Removing what is not there does nothing. */
  remove(name: string): Promise<void>;
  /** What a person is told about where it is. */
  place: string;
}
