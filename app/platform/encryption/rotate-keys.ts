import { withLease } from "../database/lease.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { askPool } from "./data-keys.ts";
import type { KeyPorts } from "./key-ports.ts";
import { replaceEpoch } from "./replace-epoch.ts";
import { EPOCH_LEASE } from "./rewrap-keys.ts";
import { RETIRED_FOR_MS } from "./sealers.ts";
import { SHOP_SUBJECTS } from "./subject.ts";
import { KEY_DESTROYED } from "./subject-keys.ts";

const PAGE = 500;

/** Levels of keys that a person can have replaced; the master key's is a setting. */
export const ROTATIONS = ["epochs", "shops", "patients"] as const;
export type Rotation = (typeof ROTATIONS)[number];

/** Every shop that has keys. */
export async function shopsWithKeys({ pool }: Pick<KeyPorts, "pool">): Promise<ShopDomain[]> {
  const { rows } = await pool.query<{ shop: ShopDomain }>(
    "SELECT shop FROM key_epochs UNION SELECT shop FROM shop_keys ORDER BY 1",
  );
  return rows.map((row) => row.shop);
}

/**
 * Replaces one level of a shop's keys while everything runs. An epoch is replaced at once. The others retire: new ones
 * seal from now on, and the walk of the background seals anew what the retired ones sealed. Returns how many keys
 * were replaced.
 */
export async function rotateKeys(
  ports: KeyPorts,
  shop: ShopDomain,
  level: Rotation,
): Promise<number> {
  const { pool, logger, sealers, onStep = () => {} } = ports;
  return withLease({ pool, logger }, { shop, name: EPOCH_LEASE }, async () => {
    const ask = askPool(pool);
    await sealers.forShop(shop);
    if (level === "epochs") return replaceEpoch({ ask, epochs: sealers.epochs, onStep }, shop);
    const count = await replaceAll(ports, shop, level);
    await ask(
      `INSERT INTO resealings (shop, cause, asked_at, begins_at)
       VALUES ($1, $2, clock_timestamp(), clock_timestamp() + $3 * interval '1 ms')
       ON CONFLICT (shop) DO UPDATE SET
         cause = excluded.cause, asked_at = excluded.asked_at, begins_at = excluded.begins_at,
         column_number = 0, cursor = '', looked_at = 0, sealed_anew = 0, unreadable = 0, finished_at = NULL`,
      [shop, level, ports.retiredForMs ?? RETIRED_FOR_MS],
    );
    return count;
  });
}

/** Keyed hashes are compared with what is stored: their key stays. */
async function replaceAll(
  { pool, sealers, onStep }: KeyPorts,
  shop: ShopDomain,
  level: "shops" | "patients",
): Promise<number> {
  const ask = askPool(pool);
  const own = [SHOP_SUBJECTS.own, SHOP_SUBJECTS.messages];
  if (level === "shops") {
    for (const subject of own) await sealers.keys.replace(ask, shop, subject);
    await ask("SELECT pg_notify($1, $2)::text", [KEY_DESTROYED, shop]);
    return own.length;
  }
  let count = 0;
  let after = "";
  for (;;) {
    const rows = await ask<{ subject: string; version: number }>(
      `SELECT subject, max(version) AS version FROM data_keys
       WHERE shop = $1 AND subject > $2 AND NOT subject = ANY($3::text[])
       GROUP BY subject ORDER BY subject LIMIT ${PAGE}`,
      [shop, after, Object.values(SHOP_SUBJECTS)],
    );
    await sealers.keys.replaceMany(ask, shop, rows);
    await ask("SELECT pg_notify($1, $2)::text", [KEY_DESTROYED, shop]);
    onStep?.();
    count += rows.length;
    const last = rows.at(-1);
    if (!last) return count;
    after = last.subject;
  }
}
