import { createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { MasterKeyRing } from "./master-keys.ts";
import { seal, unseal } from "./sealing.ts";

/** Seals and opens one shop's fields. The row is the value's key within its table. */
export interface Sealer {
  seal(place: FieldPlace, plaintext: Buffer | string): Buffer<ArrayBuffer>;
  open(place: FieldPlace, sealed: Uint8Array): Buffer;
  sealJson(place: FieldPlace, value: unknown): Buffer<ArrayBuffer>;
  /** The caller parses what it gets: this layer wrote it, another version may have. */
  openJson(place: FieldPlace, sealed: Uint8Array): unknown;
  /** Keyed hash of a value: equal for equal values of one place, and nobody without the shop's key can guess it. */
  fingerprint(place: FieldPlace, value: string): Buffer<ArrayBuffer>;
}

export interface FieldPlace {
  table: string;
  column: string;
  row: string;
}

export interface Sealers {
  /** Makes the shop's data key on first use. */
  forShop(shop: ShopDomain): Promise<Sealer>;
  /** Whether the shop has a key, and so anything here at all. */
  knows(shop: ShopDomain): Promise<boolean>;
  /** The sealer when the key is at hand, so that a hot path need not wait. */
  remembered(shop: ShopDomain): Sealer | undefined;
  /** The shop's key has been destroyed: the next one who asks looks it up, or makes a new one. */
  forget(shop: ShopDomain): void;
  forgetAll(): void;
}

const MAX_REMEMBERED = 10_000;

/** Data keys, one for each shop, made in the database and wrapped by a master key. */
export function createSealers(pool: Pool, masterKeys: MasterKeyRing): Sealers {
  const remembered = new Map<ShopDomain, Sealer>();
  return {
    remembered: (shop) => remembered.get(shop),
    forget(shop) {
      remembered.delete(shop);
    },
    forgetAll: () => remembered.clear(),
    async knows(shop) {
      if (remembered.has(shop)) return true;
      const { rowCount } = await pool.query("SELECT FROM shop_keys WHERE shop = $1", [shop]);
      return rowCount === 1;
    },
    async forShop(shop) {
      const known = remembered.get(shop);
      if (known) return known;
      const sealer = sealerWith(await dataKey(pool, masterKeys, shop), shop);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(shop, sealer);
      return sealer;
    },
  };
}

async function dataKey(pool: Pool, masterKeys: MasterKeyRing, shop: ShopDomain): Promise<Buffer> {
  const fresh = masterKeys.wrap(randomBytes(32), shop);
  // Two processes may meet here: whichever key was stored first is the shop's key.
  const { rows } = await pool.query<{ masterKeyId: string; wrapped: Buffer }>(
    `WITH made AS (
       INSERT INTO shop_keys (shop, master_key_id, wrapped_key) VALUES ($1, $2, $3)
       ON CONFLICT (shop) DO NOTHING RETURNING master_key_id, wrapped_key
     )
     SELECT master_key_id AS "masterKeyId", wrapped_key AS wrapped FROM made
     UNION ALL SELECT master_key_id, wrapped_key FROM shop_keys WHERE shop = $1 LIMIT 1`,
    [shop, fresh.masterKeyId, fresh.wrapped],
  );
  const stored = rows[0];
  // The rival committed between the two halves of the statement: it is there now.
  return stored ? masterKeys.unwrap(stored, shop) : dataKey(pool, masterKeys, shop);
}

function sealerWith(bytes: Buffer, shop: ShopDomain): Sealer {
  // Bytes would be made into a key again for every value, which costs more than sealing one.
  const key = createSecretKey(bytes);
  const fingerprintKey = createSecretKey(
    Buffer.from(hkdfSync("sha256", bytes, "", "fingerprint", 32)),
  );
  const sealBytes: Sealer["seal"] = (place, plaintext) =>
    seal(key, { shop, ...place }, Buffer.isBuffer(plaintext) ? plaintext : Buffer.from(plaintext));
  const open: Sealer["open"] = (place, sealed) => unseal(key, { shop, ...place }, sealed);
  return {
    seal: sealBytes,
    open,
    sealJson: (place, value) => sealBytes(place, JSON.stringify(value)),
    openJson: (place, sealed) => JSON.parse(open(place, sealed).toString("utf8")),
    fingerprint: ({ table, column, row }, value) =>
      createHmac("sha256", fingerprintKey)
        .update(JSON.stringify([shop, table, column, row, value]))
        .digest(),
  };
}
