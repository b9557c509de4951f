/** One object of a folder, by name. */
export interface ListedObject {
  name: string;
  at: Date;
}

/** Names from `from` on, up to `until`; null: to the end. */
export interface NameRange {
  from: string;
  until: string | null;
}

/**
 * Keeps bytes under a name in a folder: a shop's domain and a uuid in lower case, nothing that would have to be escaped. Beside
 * the shops is the mark of the store's owner (store-owner.ts). Each call throws `DocumentStoreFailed` when the store can't be
 * reached or refuses.
 */
export interface ObjectStore {
  /** Resolves once the bytes are safe. */
  put(folder: string, name: string, bytes: Buffer): Promise<void>;
  /** Null when there is no such object. */
  get(folder: string, name: string): Promise<Buffer | null>;
  /** Deletes it if it is there. */
  delete(folder: string, name: string): Promise<void>;
  /** In the order of the names. */
  list(folder: string, range: NameRange): AsyncIterable<ListedObject>;
}
