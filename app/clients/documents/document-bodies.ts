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

/** An object's key seals it once: it has no versions. */
const KEY_VERSION = 1;

/** Seals PDFs and keeps them where `target` says. What was stored before a change of the setting is read where it lies. */
export function createDocumentBodies({
  target,
  stores,
  logger,
}: {
  target: ObjectStoreName | null;
  stores: Partial<Record<ObjectStoreName, ObjectStore>>;
  logger: Logger;
}): DocumentBodies {
  /** Whoever asked is told that it failed; the operator, how often and why. */
  async function counted<T>(shop: string, operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof DocumentStoreFailed ? error.code : "document_unreadable";
      documentStoreFailures.add({ operation, code });
      logger.error({ shop, operation, code, err: error }, "a store of documents failed");
      throw error;
    }
  }
  const at = (name: ObjectStoreName): ObjectStore => {
    const store = stores[name];
    if (!store) throw new DocumentStoreFailed("not_set_up");
    return store;
  };
  /** Authenticated with the shop and the name, so that one object in the place of another does not open. */
  const placeOf = (shop: string, row: string) =>
    ({ shop, table: "document_objects", column: "body", row }) as const;
  return {
    target,
    stores: new Set(OBJECT_STORES.filter((name) => stores[name])),
    async place(shop, pdf) {
      if (target === null) return pdf;
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
      for (const name of OBJECT_STORES)
        for await (const object of stores[name]?.list(shop, range) ?? [])
          yield { store: name, object: object.name, at: object.at };
    },
    delete: (shop, { store, object }) =>
      counted(shop, "delete", () => at(store).delete(shop, object)),
  };
}
