import { DocumentStoreFailed } from "../../platform/errors.ts";
import type { ObjectStore } from "./object-store.ts";

/** Where a store says which database it belongs to, beside the folders of the shops. */
const MARK = { folder: "owner", name: "database" };

/** The first of all names. */
const FIRST_NAME = "00000000-0000-0000-0000-000000000000";

const DATABASE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads the id of the database that may write to a store and delete from it; null where nobody has yet. Throws
 * `DocumentStoreFailed` for what is no mark, such as a proxy's page: it tells nothing of an owner.
 */
export async function readOwner(store: ObjectStore): Promise<string | null> {
  const mark = await store.get(MARK.folder, MARK.name);
  const owner = mark?.toString("utf8") ?? null;
  if (owner === null || DATABASE_ID.test(owner)) return owner;
  throw new DocumentStoreFailed("refused", {
    cause: Object.assign(new Error(`no id of a database stands in ${MARK.folder}/${MARK.name}`), {
      code: "not_an_object_store",
    }),
  });
}

/** Makes a store the one of a database. The former owner may only read it from then on. */
export const setOwner = (store: ObjectStore, databaseId: string): Promise<void> =>
  store.put(MARK.folder, MARK.name, Buffer.from(databaseId));

/**
 * Whose a store is to a database. A copy on trial beside the original must not change it: to the copy, every newer object belongs
 * to nobody. A store without an owner becomes that of the first database that would change it, unless that one is a copy itself,
 * or the store `isInDoubt`: a folder that is not mounted has no mark either.
 */
export async function takeStore(
  store: ObjectStore,
  databaseId: string | null,
  isInDoubt: () => Promise<boolean>,
): Promise<"ours" | "not_owner" | "empty"> {
  if (databaseId === null) return "not_owner";
  const owner = await readOwner(store);
  if (owner !== null) return owner === databaseId ? "ours" : "not_owner";
  if (await isInDoubt()) return "empty";
  await setOwner(store, databaseId);
  return "ours";
}

/** Whether a store has anything in a folder. */
export async function hasAnything(store: ObjectStore, folder: string): Promise<boolean> {
  for await (const _ of store.list(folder, { from: FIRST_NAME, until: null })) return true;
  return false;
}
