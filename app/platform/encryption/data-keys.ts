import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { KeyDamaged } from "../errors.ts";
import { countKeyTrouble } from "../key-troubles.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { type Epochs, unwrapUnlessDamaged, wrapByEpoch } from "./epochs.ts";
import type { MasterKeyRing } from "./master-keys.ts";
import { SHOP_SUBJECTS } from "./subject.ts";

/** Runs a statement: on the pool, or in the transaction of a shop. Column names are those of the statement. */
export type Ask = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;

export const askPool =
  (pool: Pick<Pool, "query">): Ask =>
  async <Row>(sql: string, values: unknown[]) =>
    (await pool.query(sql, values)).rows as Row[];

/** The keys of one subject: by version, and which version seals. */
export interface KeySet {
  current: number;
  byVersion: Map<number, KeyObject>;
  /** Versions whose row is damaged: one of them keeps nobody from the other keys that are read with it. */
  damaged: Set<number>;
  /** `performance.now()` at which it was read. */
  readAt: number;
  /** When the database that it was read from had last taken another's place: seconds since 1970; null where it never had. */
  switchedAt: string | null;
}

interface KeyRow {
  subject: string;
  version: number;
  epoch: string;
  wrapped: Uint8Array;
  isRetired: boolean;
  switchedAt: string | null;
}

/** Reads and makes data keys. Remembers nothing but which epoch wraps a shop's new keys. */
export interface DataKeys {
  read(ask: Ask, shop: ShopDomain, subjects: string[]): Promise<Map<string, KeySet>>;
  /** The subject's keys, with a new one where there was none. `bytes` is what the new one is, random unless given. */
  readOrMake(ask: Ask, shop: ShopDomain, subject: string, bytes?: Buffer): Promise<KeySet>;
  /** Makes the subject's next version, which seals from now on, and retires the others. */
  replace(ask: Ask, shop: ShopDomain, subject: string): Promise<void>;
  /** As `replace`, for subjects whose last version is known. */
  replaceMany(ask: Ask, shop: ShopDomain, last: LastKey[]): Promise<void>;
  /** The key that an earlier version gave the shop, and what it made of it for keyed hashes; null where none is left. */
  former(ask: Ask, shop: ShopDomain): Promise<{ key: KeyObject; hashes: Buffer } | null>;
  forget(shop: ShopDomain): void;
  forgetAll(): void;
}

interface LastKey {
  subject: string;
  version: number;
}

/** How long a process goes on wrapping with the epoch that it read; also ended by a message of the database. */
const EPOCH_FOR_MS = 30_000;

/** When the database last took another's place: the same text on every connection, whatever its time zone. */
export const SWITCHED_AT = "(SELECT extract(epoch FROM switched_at)::text FROM database_identity)";

/** Each key comes with the moment that its server knows: read apart, the two may be of different servers. */
const COLUMNS = `subject, version, epoch, wrapped_key AS wrapped, retired_at IS NOT NULL AS "isRetired",
  ${SWITCHED_AT} AS "switchedAt"`;

/** Creates what reads and makes the keys in `data_keys`, each wrapped by an epoch of its shop (docs/decisions/0038). */
export function createDataKeys(epochs: Epochs, masterKeys: MasterKeyRing): DataKeys {
  const newest = new Map<ShopDomain, { epoch: string; readAt: number }>();

  async function epochOf(ask: Ask, shop: ShopDomain): Promise<{ epoch: string; key: KeyObject }> {
    const known = newest.get(shop);
    if (known && performance.now() - known.readAt < EPOCH_FOR_MS) {
      const key = await epochs.key(shop, known.epoch);
      if (key) return { epoch: known.epoch, key };
    }
    const epoch = (await newestEpoch(ask, shop)) ?? (await beginFirst(ask, shop));
    newest.set(shop, { epoch, readAt: performance.now() });
    const key = await epochs.key(shop, epoch);
    if (!key) throw new EpochMissing(shop, epoch, epochs.store.place);
    return { epoch, key };
  }

  async function beginFirst(ask: Ask, shop: ShopDomain): Promise<string> {
    const epoch = await epochs.create(shop, []);
    // The key is on disk before anything names it. Of two that begin at once, both stay until the next epoch.
    await ask("INSERT INTO key_epochs (shop, epoch) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
      ...[shop, epoch],
    ]);
    return epoch;
  }

  async function toSets(shop: ShopDomain, rows: KeyRow[]): Promise<Map<string, KeySet>> {
    const sets = new Map<string, KeySet>();
    for (const { subject, version, epoch, wrapped, isRetired, switchedAt } of rows) {
      const epochKey = await epochs.key(shop, epoch);
      if (!epochKey) throw new EpochMissing(shop, epoch, epochs.store.place);
      const bytes = unwrapUnlessDamaged(epochKey, { shop, subject, version }, wrapped);
      const set = sets.get(subject) ?? {
        ...{ current: 0, byVersion: new Map<number, KeyObject>(), damaged: new Set<number>() },
        ...{ readAt: performance.now(), switchedAt },
      };
      if (bytes) {
        // Bytes would be made into a key again for every value, which costs more than sealing one.
        set.byVersion.set(version, createSecretKey(bytes));
        bytes.fill(0);
      } else {
        set.damaged.add(version);
        countKeyTrouble(new KeyDamaged());
      }
      if (!isRetired) set.current = Math.max(set.current, version);
      sets.set(subject, set);
    }
    return sets;
  }

  const read: DataKeys["read"] = async (ask, shop, subjects) => {
    const rows = await ask<KeyRow>(
      `SELECT ${COLUMNS} FROM data_keys WHERE shop = $1 AND subject = ANY($2::text[])`,
      [shop, subjects],
    );
    return toSets(shop, rows);
  };

  const replaceMany: DataKeys["replaceMany"] = async (ask, shop, last) => {
    if (last.length === 0) return;
    const { epoch, key } = await epochOf(ask, shop);
    const wrapped = last.map(({ subject, version }) =>
      wrapByEpoch(key, { shop, subject, version: version + 1 }, randomBytes(32)),
    );
    await ask(
      `WITH made AS (
         INSERT INTO data_keys (shop, subject, version, epoch, wrapped_key, made_at)
         SELECT $1, subject, version + 1, $2, wrapped, clock_timestamp()
         FROM unnest($3::text[], $4::int[], $5::bytea[]) AS n(subject, version, wrapped)
         ON CONFLICT DO NOTHING RETURNING subject, version
       )
       UPDATE data_keys k SET retired_at = clock_timestamp() FROM made
       WHERE k.shop = $1 AND k.subject = made.subject AND k.version < made.version AND k.retired_at IS NULL`,
      [
        ...[shop, epoch],
        last.map(({ subject }) => subject),
        last.map(({ version }) => version),
        wrapped,
      ],
    );
  };
  return {
    read,
    async readOrMake(ask, shop, subject, bytes = randomBytes(32)) {
      const { epoch, key } = await epochOf(ask, shop);
      const wrapped = wrapByEpoch(key, { shop, subject, version: 1 }, bytes);
      for (;;) {
        // Two processes may meet here: whichever key was stored first is the subject's.
        const rows = await ask<KeyRow>(
          `WITH made AS (
             INSERT INTO data_keys (shop, subject, version, epoch, wrapped_key)
             SELECT $1::text, $2::text, 1, $3::text, $4::bytea
             WHERE NOT EXISTS (SELECT FROM data_keys WHERE shop = $1 AND subject = $2)
             ON CONFLICT DO NOTHING RETURNING subject, version, epoch, wrapped_key, made_at, retired_at
           )
           SELECT ${COLUMNS} FROM made
           UNION ALL SELECT ${COLUMNS} FROM data_keys WHERE shop = $1 AND subject = $2`,
          [shop, subject, epoch, wrapped],
        );
        const set = (await toSets(shop, rows)).get(subject);
        // The rival committed between the two halves of the statement: it is there now.
        if (set) return set;
      }
    },
    async replace(ask, shop, subject) {
      const [last] = await ask<{ version: number | null }>(
        "SELECT max(version) AS version FROM data_keys WHERE shop = $1 AND subject = $2",
        [shop, subject],
      );
      await replaceMany(ask, shop, [{ subject, version: last?.version ?? 0 }]);
    },
    replaceMany,
    async former(ask, shop) {
      const [row] = await ask<{ masterKeyId: string; wrapped: Buffer }>(
        `SELECT master_key_id AS "masterKeyId", wrapped_key AS wrapped FROM shop_keys WHERE shop = $1`,
        [shop],
      );
      if (!row) return null;
      const bytes = masterKeys.unwrap(row, shop);
      return {
        key: createSecretKey(bytes),
        hashes: Buffer.from(hkdfSync("sha256", bytes, "", "fingerprint", 32)),
      };
    },
    forget: (shop) => newest.delete(shop),
    forgetAll: () => newest.clear(),
  };
}

async function newestEpoch(ask: Ask, shop: ShopDomain): Promise<string | undefined> {
  const [row] = await ask<{ epoch: string }>(
    "SELECT epoch FROM key_epochs WHERE shop = $1 ORDER BY epoch DESC LIMIT 1",
    [shop],
  );
  return row?.epoch;
}

/** Makes the shop's own keys where they are missing. The keyed hashes of an earlier version stay what they were. */
export async function makeShopKeys(keys: DataKeys, ask: Ask, shop: ShopDomain): Promise<void> {
  const former = await keys.former(ask, shop);
  await keys.readOrMake(ask, shop, SHOP_SUBJECTS.hashes, former?.hashes);
  await keys.readOrMake(ask, shop, SHOP_SUBJECTS.messages);
  await keys.readOrMake(ask, shop, SHOP_SUBJECTS.own);
}

/** The folder of keys lacks an epoch that the database names: another folder, or a database that was restored. */
export class EpochMissing extends Error {
  readonly code = "epoch_missing";
  constructor(shop: string, epoch: string, place: string) {
    super(`The key of epoch ${epoch} of ${shop} is not in ${place}`);
    this.name = "EpochMissing";
  }
}
