import type { ObjectStore } from "./object-store.ts";

/** Where a store says which database it belongs to, beside the folders of the shops. */
const MARK = { folder: "owner", name: "database" };

/** Reads the id of the database that may write to a store and delete from it; null where nobody has yet. */
export async function readOwner(store: ObjectStore): Promise<string | null> {
  const mark = await store.get(MARK.folder, MARK.name);
  return mark?.toString("utf8") ?? null;
}

/** Makes a store the one of a database. The former owner may only read it from then on. */
export const setOwner = (store: ObjectStore, databaseId: string): Promise<void> =>
  store.put(MARK.folder, MARK.name, Buffer.from(databaseId));

/**
 * Whether a database may change a store. A copy on trial beside the original must not: to the copy, every newer object belongs to
 * nobody. A store without an owner becomes that of the first database that would change it, unless that one is a copy itself.
 */
export async function mayChange(store: ObjectStore, databaseId: string | null): Promise<boolean> {
  if (databaseId === null) return false;
  const owner = await readOwner(store);
  if (owner === null) await setOwner(store, databaseId);
  return owner === null || owner === databaseId;
}
