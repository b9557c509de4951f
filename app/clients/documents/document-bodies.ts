import { randomUUID } from "node:crypto";
import {
  type DocumentBodies,
  OBJECT_STORES,
  type ObjectStoreName,
} from "../../modules/referrals/document.ts";
import { documentStoreFailures } from "../../platform/counters.ts";
import { newKey, seal, unseal } from "../../platform/encryption/sealing.ts";
import { DocumentStoreFailed } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { ObjectStore } from "./object-store.ts";
import { hasAnything, readOwner, takeStore } from "./store-owner.ts";

/** An object's key seals it once: it has no versions. */
const KEY_VERSION = 1;

/**
 * Seals PDFs and keeps them where `target` says. What was stored before a change of the setting is read where it lies.
 * `databaseId` says by which id stores know this database; null for a copy, which may only read them. `isUsed` says whether
 * any document of this database lies in a store.
 */
export function createDocumentBodies({
  target,
  stores,
  databaseId,
  isUsed,
  logger,
}: {
  target: ObjectStoreName | null;
  stores: Partial<Record<ObjectStoreName, ObjectStore>>;
  databaseId: () => Promise<string | null>;
  isUsed: (store: ObjectStoreName) => Promise<boolean>;
  logger: Logger;
}): DocumentBodies {
  const note = (shop: string, operation: string, code: string, err?: unknown) => {
    documentStoreFailures.add({ operation, code });
    logger.error({ shop, operation, code, err }, "a store of documents failed");
  };
  /** Whoever asked is told that it failed; the operator, how often and why. */
  const told = (shop: string, operation: string, error: unknown): DocumentStoreFailed => {
    const failure =
      error instanceof DocumentStoreFailed
        ? error
        : new DocumentStoreFailed("unreadable", { cause: error });
    note(shop, operation, failure.code, failure);
    return failure;
  };
  async function counted<T>(shop: string, operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw told(shop, operation, error);
    }
  }
  const at = (name: ObjectStoreName): ObjectStore => {
    const store = stores[name];
    if (!store) throw new DocumentStoreFailed("not_set_up");
    return store;
  };
  /** Asked anew each time: an operator may have given the store to another database meanwhile. */
  async function isOurs(shop: string, operation: string, name: ObjectStoreName): Promise<boolean> {
    const id = await databaseId();
    // One of before there were marks has documents of the shop.
    const isInDoubt = async () => !(await hasAnything(at(name), shop)) && (await isUsed(name));
    const whose = await counted(shop, operation, () => takeStore(at(name), id, isInDoubt));
    if (whose !== "ours") note(shop, operation, `document_store_${whose}`);
    return whose === "ours";
  }
  /** Authenticated with the shop and the name, so that one object in the place of another does not open. */
  const placeOf = (shop: string, row: string) =>
    ({ shop, table: "document_objects", column: "body", row }) as const;
  return {
    target,
    stores: new Set(OBJECT_STORES.filter((name) => stores[name])),
    mayChange: (shop, store) => isOurs(shop, "ask", store),
    isKnown: (shop, store) =>
      counted(shop, "ask", async () => {
        const owner = await readOwner(at(store));
        return (owner !== null && owner === (await databaseId())) || hasAnything(at(store), shop);
      }),
    async place(shop, pdf) {
      if (target === null || !(await isOurs(shop, "place", target))) return pdf;
      const key = newKey();
      const object = randomUUID();
      const sealed = seal(key, KEY_VERSION, placeOf(shop, object), pdf);
      await counted(shop, "place", () => at(target).put(shop, object, sealed));
      return { store: target, object, key };
    },
    read: (shop, body) =>
      counted(shop, "read", async () => {
        if (Buffer.isBuffer(body)) return body;
        const sealed = await at(body.store).get(shop, body.object);
        if (!sealed) throw new DocumentStoreFailed("missing");
        return unseal(body.key, placeOf(shop, body.object), sealed);
      }),
    async *list(shop, range) {
      try {
        for (const name of OBJECT_STORES)
          for await (const object of stores[name]?.list(shop, range) ?? [])
            yield { store: name, object: object.name, at: object.at };
      } catch (error) {
        throw told(shop, "list", error);
      }
    },
    async delete(shop, { store, object }) {
      if (!(await isOurs(shop, "delete", store))) return false;
      await counted(shop, "delete", () => at(store).delete(shop, object));
      return true;
    },
  };
}
