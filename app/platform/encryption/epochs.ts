import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { z } from "zod";
import { errorCode } from "../error-code.ts";
import type { ShopDomain } from "../shop-domain.ts";
import type { KeyStore } from "./key-store.ts";
import { MASTER_KEY_MISSING, type MasterKeyRing } from "./master-keys.ts";
import { openWith, sealWith } from "./wrapping.ts";

/** A data key as it is stored, under the epoch's key. */
export interface StoredKey {
  subject: string;
  version: number;
  wrapped: Uint8Array;
}

/** What was erased, noted where no backup of the database reaches. */
export interface Tombstone {
  subject: string;
  erasedAt: string;
}

/**
 * The keys outside PostgreSQL that wrap each shop's data keys. An epoch ends when something was erased: living data keys
 * are wrapped by the next one, and this one is destroyed. Names of epochs sort by age.
 */
export interface Epochs {
  list(shop: ShopDomain): Promise<string[]>;
  /** As `list`, without those that a process began to destroy and died. */
  listWhole(shop: ShopDomain): Promise<string[]>;
  /** Shops that have epochs or tombstones. */
  shops(): Promise<ShopDomain[]>;
  /** The key of an epoch; null when it was destroyed, or never was here. */
  key(shop: ShopDomain, epoch: string): Promise<KeyObject | null>;
  /** Makes the epoch that follows every other of the shop, those named included. Returns its name. */
  create(shop: ShopDomain, after: string[]): Promise<string>;
  /** Destroys an epoch's key and its list of living keys. */
  destroy(shop: ShopDomain, epoch: string): Promise<void>;
  destroyAll(shop: ShopDomain): Promise<void>;
  /** Keeps the shop's living data keys beside the epoch, for backups of the database that an older epoch wrapped. */
  keepLiving(shop: ShopDomain, epoch: string, part: number, keys: StoredKey[]): Promise<void>;
  /** Throws `EpochDamaged` where the list is not what was written. */
  livingKeys(shop: ShopDomain, epoch: string): AsyncIterable<StoredKey[]>;
  bury(shop: ShopDomain, tombstones: Tombstone[]): Promise<void>;
  /** All that can be read. */
  tombstones(shop: ShopDomain): Promise<Tombstone[]>;
  /** Names of files that hold notes of erasures and are not what was written. */
  damagedTombstones(shop: ShopDomain): Promise<string[]>;
  /** Epochs of the shop that an older master key wraps. */
  underOldMaster(shop: ShopDomain): Promise<string[]>;
  /** Wraps an epoch with the active master key. False when its master key is missing. Needs the shop's lease. */
  rewrap(shop: ShopDomain, epoch: string): Promise<boolean>;
  /** Why no master key of this process opens an epoch, as a code; null when one does, and when it is not here. */
  unopened(shop: ShopDomain, epoch: string): Promise<"master_key_missing" | "epoch_damaged" | null>;
  /** Lets go of the keys of one shop, or of all, that this process remembers. */
  forget(shop?: ShopDomain): void;
  store: KeyStore;
}

const wrappedSchema = z.object({ masterKeyId: z.string(), wrapped: z.base64() });
const livingSchema = z.array(z.tuple([z.string(), z.number(), z.base64()]));
const tombstonesSchema = z.array(z.object({ subject: z.string(), erasedAt: z.string() }));

const MAX_REMEMBERED = 10_000;
const ownerOf = (shop: string, epoch: string) => `epoch ${shop} ${epoch}`;
const keyName = (shop: string, epoch: string) => `epochs/${shop}/${epoch}.key`;
const livingPrefix = (epoch: string) => `${epoch}.living.`;

/** Encrypts a data key by its epoch's. */
export const wrapByEpoch = (epochKey: KeyObject, owner: DataKeyOwner, key: Buffer) =>
  sealWith(epochKey, JSON.stringify([owner.shop, owner.subject, owner.version]), key);
export const unwrapByEpoch = (epochKey: KeyObject, owner: DataKeyOwner, wrapped: Uint8Array) =>
  openWith(epochKey, JSON.stringify([owner.shop, owner.subject, owner.version]), wrapped);
/** As `unwrapByEpoch`; null where the bytes are not what was stored. */
export function unwrapUnlessDamaged(
  epochKey: KeyObject,
  owner: DataKeyOwner,
  wrapped: Uint8Array,
): Buffer | null {
  try {
    return unwrapByEpoch(epochKey, owner, wrapped);
  } catch {
    // The cipher has one error for all of it. The caller counts and names the key.
    return null;
  }
}
interface DataKeyOwner {
  shop: ShopDomain;
  subject: string;
  version: number;
}

/** Creates what reads, makes and ends the epoch keys in the folder outside the database (docs/decisions/0038). */
export function createEpochs(store: KeyStore, masterKeys: MasterKeyRing): Epochs {
  const remembered = new Map<string, KeyObject>();
  const list: Epochs["list"] = async (shop) =>
    (await store.list(`epochs/${shop}`)).flatMap((name) => name.match(/^(.+)\.key$/)?.[1] ?? []);
  const livingParts = async (shop: ShopDomain, epoch: string) =>
    (await store.list(`epochs/${shop}`)).filter((name) => name.startsWith(livingPrefix(epoch)));
  const read = async (shop: ShopDomain, epoch: string) => {
    const entry = await store.get(keyName(shop, epoch));
    return entry && parseEntry(entry, { shop, epoch, place: store.place });
  };
  /** Null for one that is not there, that is damaged, or whose master key is missing or is another one of the same name. */
  const unwrapped = async (shop: ShopDomain, epoch: string): Promise<Buffer | null> => {
    try {
      const stored = await read(shop, epoch);
      return stored && masterKeys.unwrap(stored, ownerOf(shop, epoch));
    } catch {
      // The caller counts it as unreadable, and tells it.
      return null;
    }
  };
  const write = (shop: ShopDomain, epoch: string, key: Buffer) => {
    const { masterKeyId, wrapped } = masterKeys.wrap(key, ownerOf(shop, epoch));
    const entry = JSON.stringify({ masterKeyId, wrapped: wrapped.toString("base64") });
    return store.put(keyName(shop, epoch), Buffer.from(entry));
  };
  /** Null where the bytes are not what was written. */
  const readTombstones = async (shop: ShopDomain, name: string): Promise<Tombstone[] | null> => {
    const entry = await store.get(`tombstones/${shop}/${name}`);
    if (!entry) return [];
    try {
      return tombstonesSchema.parse(JSON.parse(entry.toString()));
    } catch {
      // The parser's own error quotes the entry. Whoever needs all of them asks for `damagedTombstones`.
      return null;
    }
  };
  const shops: Epochs["shops"] = async () => {
    const named = [...(await store.list("epochs")), ...(await store.list("tombstones"))];
    return [...new Set(named)] as ShopDomain[];
  };
  return {
    store,
    list,
    async listWhole(shop) {
      const found: string[] = [];
      for (const epoch of await list(shop))
        if (await store.get(keyName(shop, epoch))) found.push(epoch);
      return found;
    },
    shops,
    async key(shop, epoch) {
      const known = remembered.get(keyName(shop, epoch));
      if (known) return known;
      const stored = await read(shop, epoch);
      if (!stored) return null;
      const key = createSecretKey(masterKeys.unwrap(stored, ownerOf(shop, epoch)));
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(keyName(shop, epoch), key);
      return key;
    },
    async create(shop, after) {
      const last = [...(await list(shop)), ...after].toSorted().at(-1);
      const number = Number(last?.split("-")[0] ?? 0) + 1;
      const epoch = `${String(number).padStart(8, "0")}-${randomBytes(6).toString("hex")}`;
      await write(shop, epoch, randomBytes(32));
      return epoch;
    },
    async destroy(shop, epoch) {
      remembered.delete(keyName(shop, epoch));
      await store.remove(keyName(shop, epoch));
      for (const name of await livingParts(shop, epoch))
        await store.remove(`epochs/${shop}/${name}`);
    },
    async destroyAll(shop) {
      remembered.clear();
      await store.remove(`epochs/${shop}`);
    },
    async keepLiving(shop, epoch, part, keys) {
      const rows = keys.map(({ subject, version, wrapped }) => [
        subject,
        version,
        Buffer.from(wrapped).toString("base64"),
      ]);
      const name = `epochs/${shop}/${livingPrefix(epoch)}${part}`;
      await store.put(name, Buffer.from(JSON.stringify(rows)));
    },
    async *livingKeys(shop, epoch) {
      for (const name of await livingParts(shop, epoch)) {
        const entry = await store.get(`epochs/${shop}/${name}`);
        if (entry) yield parseLiving(entry, { shop, epoch, place: store.place });
      }
    },
    async bury(shop, tombstones) {
      const name = `${Date.now()}-${randomBytes(6).toString("hex")}.json`;
      await store.put(`tombstones/${shop}/${name}`, Buffer.from(JSON.stringify(tombstones)));
    },
    async tombstones(shop) {
      const found: Tombstone[] = [];
      for (const name of await store.list(`tombstones/${shop}`))
        found.push(...((await readTombstones(shop, name)) ?? []));
      return found;
    },
    async damagedTombstones(shop) {
      const found: string[] = [];
      for (const name of await store.list(`tombstones/${shop}`))
        if (!(await readTombstones(shop, name))) found.push(`tombstones/${shop}/${name}`);
      return found;
    },
    async underOldMaster(shop) {
      const found: string[] = [];
      for (const epoch of await list(shop)) {
        const entry = await store.get(keyName(shop, epoch));
        if (entry && wrapperOf(entry) !== masterKeys.activeId) found.push(epoch);
      }
      return found;
    },
    async rewrap(shop, epoch) {
      const key = await unwrapped(shop, epoch);
      if (key) await write(shop, epoch, key);
      return key !== null;
    },
    async unopened(shop, epoch) {
      if (!(await store.get(keyName(shop, epoch)))) return null;
      try {
        const stored = await read(shop, epoch);
        if (stored) masterKeys.unwrap(stored, ownerOf(shop, epoch));
        return null;
      } catch (error) {
        return errorCode(error) === MASTER_KEY_MISSING ? MASTER_KEY_MISSING : "epoch_damaged";
      }
    },
    forget(shop) {
      for (const name of remembered.keys())
        if (!shop || name.startsWith(`epochs/${shop}/`)) remembered.delete(name);
    },
  };
}

function parseEntry(entry: Buffer, of: { shop: string; epoch: string; place: string }) {
  try {
    const { masterKeyId, wrapped } = wrappedSchema.parse(JSON.parse(entry.toString()));
    return { masterKeyId, wrapped: Buffer.from(wrapped, "base64") };
  } catch {
    // The parser's own error quotes the entry.
    throw new EpochDamaged(of);
  }
}

function parseLiving(entry: Buffer, of: { shop: string; epoch: string; place: string }) {
  try {
    return livingSchema.parse(JSON.parse(entry.toString())).map(([subject, version, wrapped]) => ({
      ...{ subject, version },
      wrapped: Buffer.from(wrapped, "base64"),
    }));
  } catch {
    // The parser's own error quotes the entry.
    throw new EpochDamaged(of);
  }
}

/** Id of the master key that wraps an entry; undefined where it cannot be read. */
function wrapperOf(entry: Buffer): string | undefined {
  try {
    return wrappedSchema.parse(JSON.parse(entry.toString())).masterKeyId;
  } catch {
    // Then its wrapping is tried anew, which fails and is counted.
    return undefined;
  }
}

/** An epoch's key, or its list of living ones, is there and is none: the file was damaged, and has to come back from the mirror of the folder. */
class EpochDamaged extends Error {
  readonly code = "epoch_damaged";
  constructor({ shop, epoch, place }: { shop: string; epoch: string; place: string }) {
    super(`The key of epoch ${epoch} of ${shop} in ${place} is damaged`);
    this.name = "EpochDamaged";
  }
}
