import type { ShopDomain } from "../shop-domain.ts";
import type { Ask, DataKeys, KeySet } from "./data-keys.ts";
import { type FieldPlace, type Sealer, sealerWith } from "./sealer.ts";
import { type Subject, subjectName } from "./subject.ts";

/** Channel on which the database tells that keys of a shop are no more, or are others. */
export const KEY_DESTROYED = "pathway_key_destroyed";

/** The keys of a shop's subjects, within one transaction. What is made here exists once the transaction is committed. */
export interface SubjectKeys {
  /** Seals and opens what is said about a subject. Makes its key on first use. */
  sealer(subject: Subject): Promise<Sealer>;
  /** Opens what is said about a subject. */
  opener(subject: Subject): Promise<Opener>;
  /** Opens what is said about some subjects, with one statement at most. Makes no key. */
  openers(subjects: Subject[]): Promise<(subject: Subject) => Opener>;
  /**
   * Whether a version of the subject's key that a stored value names was never made. Reads the keys anew; false wherever one
   * may be missing.
   */
  wasNeverMade(subject: Subject, version: number): Promise<boolean>;
  /**
   * Destroys the keys of subjects and notes that they were erased. Copies of the keys in dead rows and in the
   * write-ahead log become useless with the next epoch, within an hour.
   */
  destroy(subjects: Subject[]): Promise<void>;
  /** To be called after the commit, so that other transactions need not look up what this one did. */
  committed(): void;
}

export type Opener = Pick<Sealer, "open" | "openJson">;

/** Creates what seals with a key for each request, order, export or customer, and makes that key at its first use. */
export function createSubjectKeys(options: {
  shop: ShopDomain;
  keys: DataKeys;
  ask: Ask;
  /** Opens what the shop's one key of earlier versions sealed. */
  former: (place: FieldPlace, sealed: Uint8Array) => Buffer;
  known: (name: string) => KeySet | undefined;
  remember: (sets: Map<string, KeySet>) => void;
  forget: () => void;
}): SubjectKeys {
  const { shop, keys, ask, former, known, remember, forget } = options;
  const own = new Map<string, KeySet>();
  let hasDestroyed = false;
  /** Stays at hand for this transaction, however long it takes. */
  const found = (name: string) => {
    const set = own.get(name) ?? known(name);
    if (set) own.set(name, set);
    return set;
  };
  const none: KeySet = {
    ...{ current: 0, byVersion: new Map(), damaged: new Set<number>() },
    ...{ readAt: 0, switchedAt: null },
  };
  const openers: SubjectKeys["openers"] = async (subjects) => {
    const missing = [...new Set(subjects.map(subjectName))].filter((name) => !found(name));
    if (missing.length > 0)
      for (const [name, set] of await keys.read(ask, shop, missing)) own.set(name, set);
    return (subject) => sealerWith(shop, found(subjectName(subject)) ?? none, former);
  };
  return {
    openers,
    opener: async (subject) => (await openers([subject]))(subject),
    async sealer(subject) {
      const name = subjectName(subject);
      let set = found(name);
      if (!set?.current) {
        set = await keys.readOrMake(ask, shop, name);
        own.set(name, set);
      }
      return sealerWith(shop, set, former);
    },
    async wasNeverMade(subject, version) {
      const name = subjectName(subject);
      const set = (await keys.read(ask, shop, [name])).get(name);
      if (!set || set.damaged.size > 0) return false;
      // The last version is never retired: where the last one that is left is, its successor was lost.
      const last = Math.max(...set.byVersion.keys());
      return set.current === last && version > last;
    },
    async destroy(subjects) {
      if (subjects.length === 0) return;
      const names = subjects.map(subjectName);
      hasDestroyed = true;
      for (const name of names) own.delete(name);
      await ask(
        `WITH gone AS (
           DELETE FROM data_keys WHERE shop = $1::text AND subject = ANY($2::text[])
         ), noted AS (
           INSERT INTO tombstones (store, subject) SELECT $1::text, unnest($2::text[])
         )
         SELECT pg_notify($3::text, $1::text)::text`,
        [shop, names, KEY_DESTROYED],
      );
    },
    committed() {
      if (hasDestroyed) forget();
      else remember(own);
    },
  };
}
