import { createHmac, type KeyObject } from "node:crypto";
import type { Pool } from "pg";
import { KeyDamaged, KeyUnknown } from "../errors.ts";
import type { ShopDomain } from "../shop-domain.ts";
import {
  type Ask,
  askPool,
  createDataKeys,
  type DataKeys,
  EpochMissing,
  type KeySet,
  makeShopKeys,
} from "./data-keys.ts";
import type { Epochs } from "./epochs.ts";
import type { MasterKeyRing } from "./master-keys.ts";
import { destroyBuried, recoverKeys } from "./recover-keys.ts";
import { type ShopSealer, sealerWith } from "./sealer.ts";
import { SHOP_SUBJECTS } from "./subject.ts";
import { createSubjectKeys, type SubjectKeys } from "./subject-keys.ts";

export interface Sealers {
  /** Makes the shop's keys on first use. */
  forShop(shop: ShopDomain): Promise<ShopSealer>;
  /** Whether the shop has a key, and so anything here at all. */
  knows(shop: ShopDomain): Promise<boolean>;
  /** The sealer when the key is at hand, so that a hot path need not wait. */
  remembered(shop: ShopDomain): ShopSealer | undefined;
  /** Keys of single subjects, read and made by the statements of a transaction. */
  subjects(shop: ShopDomain, sealer: ShopSealer, ask: Ask): SubjectKeys;
  /** Some of the shop's keys have been destroyed or replaced: whoever asks next looks them up. */
  forget(shop: ShopDomain): void;
  forgetAll(): void;
  /** The database is not the one that the keys of `sealer` were read from: forgets all that was read from that one. */
  forgetFormer(shop: ShopDomain, sealer: ShopSealer): void;
  /** The same sealers, whose look-ups wait for a connection of this pool alone; its login needs to read, and makes no keys. */
  readingOn(pool: Pool): Sealers;
  /** What reads and makes the keys. */
  keys: DataKeys;
  epochs: Epochs;
}

/** Does something with the shop's sealer, and again when its keys turn out to be others by now. */
export async function withShopSealer<T>(
  sealers: Pick<Sealers, "forShop" | "forget">,
  shop: ShopDomain,
  work: (sealer: ShopSealer) => T,
): Promise<T> {
  const sealer = await sealers.forShop(shop);
  try {
    return work(sealer);
  } catch (error) {
    if (!(error instanceof KeyUnknown)) throw error;
    sealers.forget(shop);
    return work(await sealers.forShop(shop));
  }
}

interface Remembered {
  sealer: ShopSealer;
  readAt: number;
}

const MAX_REMEMBERED = 10_000;
/** For so long keys seal without being looked up again. Whoever retires one waits longer (`RETIRED_FOR_MS`). */
const KNOWN_FOR_MS = 30_000;
/** After so long, nobody seals with a retired key any more: `SEALS_FOR_MS` and the longest transaction. */
export const RETIRED_FOR_MS = 120_000;

/** Data keys of shops and of their subjects, made in the database and wrapped by epochs outside it. */
export function createSealers(pool: Pool, masterKeys: MasterKeyRing, epochs: Epochs): Sealers {
  const keys = createDataKeys(epochs, masterKeys);
  const ask = askPool(pool);
  const remembered = new Map<ShopDomain, Remembered>();
  const subjects = new Map<ShopDomain, Map<string, KeySet>>();
  let subjectCount = 0;

  const atHand = (shop: ShopDomain) => {
    const known = remembered.get(shop);
    return known && performance.now() - known.readAt < KNOWN_FOR_MS ? known.sealer : undefined;
  };
  async function read(askHere: Ask, shop: ShopDomain): Promise<ShopSealer> {
    try {
      return await readOnce(askHere, shop);
    } catch (error) {
      if (!(error instanceof EpochMissing)) throw error;
      keys.forget(shop);
    }
    try {
      return await readOnce(askHere, shop);
    } catch (error) {
      if (!(error instanceof EpochMissing)) throw error;
      // No epoch that ended at this moment, then: the database is older than the folder of keys.
      await recoverKeys({ ask, epochs }, shop);
      await destroyBuried({ ask, epochs }, shop);
      return readOnce(askHere, shop);
    }
  }
  async function readOnce(askHere: Ask, shop: ShopDomain): Promise<ShopSealer> {
    const names = Object.values(SHOP_SUBJECTS);
    let sets = await keys.read(askHere, shop, names);
    if (names.some((name) => !sets.has(name))) {
      await makeShopKeys(keys, ask, shop);
      sets = await keys.read(askHere, shop, names);
    }
    const former = await keys.former(askHere, shop);
    const sealer = shopSealer(shop, sets, former?.key ?? null);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(shop, { sealer, readAt: performance.now() });
    return sealer;
  }
  function lookUps(askHere: Ask): Pick<Sealers, "knows" | "forShop"> {
    const underWay = new Map<ShopDomain, Promise<ShopSealer>>();
    return {
      async knows(shop) {
        if (atHand(shop)) return true;
        const found = await askHere<{ known: boolean }>(
          `SELECT EXISTS (SELECT FROM data_keys WHERE shop = $1) OR EXISTS (SELECT FROM shop_keys WHERE shop = $1) AS known`,
          [shop],
        );
        return found[0]?.known ?? false;
      },
      async forShop(shop) {
        const known = atHand(shop);
        if (known) return known;
        // Callers share one look-up.
        const shared =
          underWay.get(shop) ?? read(askHere, shop).finally(() => underWay.delete(shop));
        underWay.set(shop, shared);
        return shared;
      },
    };
  }
  const forgetAll = () => {
    remembered.clear();
    subjects.clear();
    subjectCount = 0;
    keys.forgetAll();
    epochs.forget();
  };
  const sealers: Sealers = {
    ...lookUps(ask),
    readingOn: (other) => ({ ...sealers, ...lookUps(askPool(other)) }),
    keys,
    epochs,
    remembered: atHand,
    subjects(shop, sealer, asked) {
      const known = subjects.get(shop) ?? new Map<string, KeySet>();
      return createSubjectKeys({
        ...{ shop, keys, ask: asked, former: (place, sealed) => sealer.open(place, sealed) },
        known: (name) => {
          const set = known.get(name);
          // The shop's own keys may have been read anew since, from the server that took the former's place.
          const isOfSameServer = set?.switchedAt === sealer.switchedAt;
          return set && isOfSameServer && performance.now() - set.readAt < KNOWN_FOR_MS
            ? set
            : undefined;
        },
        remember(sets) {
          if (subjectCount + sets.size > MAX_REMEMBERED) {
            subjects.clear();
            subjectCount = 0;
          }
          const now = subjects.get(shop) ?? new Map<string, KeySet>();
          for (const [name, set] of sets) {
            if (!now.has(name)) subjectCount++;
            now.set(name, set);
          }
          subjects.set(shop, now);
        },
        forget() {
          subjectCount -= subjects.get(shop)?.size ?? 0;
          subjects.delete(shop);
        },
      });
    },
    forget(shop) {
      remembered.delete(shop);
      subjectCount -= subjects.get(shop)?.size ?? 0;
      subjects.delete(shop);
      keys.forget(shop);
      epochs.forget(shop);
    },
    forgetAll,
    forgetFormer(shop, sealer) {
      // Others may have forgotten it already, and read the keys of the database that is there now.
      if (remembered.get(shop)?.sealer === sealer) forgetAll();
    },
  };
  return sealers;
}

function shopSealer(
  shop: ShopDomain,
  sets: Map<string, KeySet>,
  former: KeyObject | null,
): ShopSealer {
  const setOf = (name: string) => {
    const set = sets.get(name);
    if (!set) throw new KeyUnknown();
    if (former) set.byVersion.set(0, former);
    return set;
  };
  const own = setOf(SHOP_SUBJECTS.own);
  const hashSet = setOf(SHOP_SUBJECTS.hashes);
  const hashes = hashSet.byVersion.get(1);
  if (!hashes) throw hashSet.damaged.size > 0 ? new KeyDamaged() : new KeyUnknown();
  return {
    ...sealerWith(shop, own),
    switchedAt: own.switchedAt,
    messages: sealerWith(shop, setOf(SHOP_SUBJECTS.messages)),
    fingerprint: ({ table, column, row }, value) =>
      createHmac("sha256", hashes)
        .update(JSON.stringify([shop, table, column, row, value]))
        .digest(),
  };
}
