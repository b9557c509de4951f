import { KeyDamaged } from "../errors.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { type Ask, EpochMissing } from "./data-keys.ts";
import { type Epochs, type StoredKey, unwrapUnlessDamaged, wrapByEpoch } from "./epochs.ts";
import { KEY_DESTROYED } from "./subject-keys.ts";

const PAGE = 1_000;

interface KeyRow extends StoredKey {
  epoch: string;
  wrapped: Buffer;
}

/**
 * Wraps every data key of a shop by a new epoch and destroys the former ones: copies of erased keys that are left in dead
 * rows, logs and backups open nothing any more. A process that dies on the way leaves both epochs, and the next call
 * goes on. Needs the shop's lease. `onStep` is called while it goes on. Returns how many keys live on. Throws `KeyDamaged`, once
 * every other key is wrapped anew, where one is damaged: a backup's row of it opens by the former epoch alone.
 */
export async function replaceEpoch(
  { ask, epochs, onStep }: { ask: Ask; epochs: Epochs; onStep: () => void },
  shop: ShopDomain,
): Promise<number> {
  const named = await epochsOf(ask, shop);
  const isUnderWay = named.length > 1;
  const epoch = isUnderWay ? (named.at(-1) ?? "") : await begin({ ask, epochs }, shop, named);
  for (;;) {
    const damaged = new Set<string>();
    while ((await wrapAnew({ ask, epochs, onStep }, shop, { epoch, damaged })) > 0);
    if (damaged.size > 0) throw new KeyDamaged([...damaged]);
    const living = await keepLiving({ ask, epochs, onStep }, shop, epoch);
    // A key that somebody made meanwhile under a former epoch still names it: then it is wrapped as well.
    if (!(await end(ask, shop, epoch))) continue;
    await destroyOthers(epochs, shop, epoch);
    return living;
  }
}

/** The ids of a shop's epochs, as the database knows them. */
export const epochsOf = async (ask: Ask, shop: ShopDomain): Promise<string[]> =>
  (
    await ask<{ epoch: string }>("SELECT epoch FROM key_epochs WHERE shop = $1 ORDER BY epoch", [
      shop,
    ])
  ).map((row) => row.epoch);

/** The new key is on disk before anything is wrapped by it. */
async function begin(
  { ask, epochs }: { ask: Ask; epochs: Epochs },
  shop: ShopDomain,
  former: string[],
): Promise<string> {
  const epoch = await epochs.create(shop, former);
  await ask("INSERT INTO key_epochs (shop, epoch) VALUES ($1, $2)", [shop, epoch]);
  await ask("SELECT pg_notify($1, $2)::text", [KEY_DESTROYED, shop]);
  return epoch;
}

/** Returns how many keys were wrapped by another epoch, and adds to `damaged` whose can't be. */
async function wrapAnew(
  { ask, epochs, onStep }: { ask: Ask; epochs: Epochs; onStep: () => void },
  shop: ShopDomain,
  { epoch, damaged }: { epoch: string; damaged: Set<string> },
): Promise<number> {
  const key = await epochs.key(shop, epoch);
  if (!key) throw new EpochMissing(shop, epoch, epochs.store.place);
  let count = 0;
  let after = { subject: "", version: 0 };
  for (;;) {
    const rows = await ask<KeyRow>(
      `SELECT subject, version, epoch, wrapped_key AS wrapped FROM data_keys
       WHERE shop = $1 AND (subject, version) > ($2, $3) AND epoch <> $4
       ORDER BY subject, version LIMIT ${PAGE}`,
      [shop, after.subject, after.version, epoch],
    );
    const fresh: { row: KeyRow; wrapped: Buffer }[] = [];
    for (const row of rows) {
      const former = await epochs.key(shop, row.epoch);
      if (!former) throw new EpochMissing(shop, row.epoch, epochs.store.place);
      const owner = { shop, subject: row.subject, version: row.version };
      const bytes = unwrapUnlessDamaged(former, owner, row.wrapped);
      if (!bytes) {
        damaged.add(row.subject);
        continue;
      }
      fresh.push({ row, wrapped: wrapByEpoch(key, owner, bytes) });
      bytes.fill(0);
    }
    await ask(
      `UPDATE data_keys k SET epoch = $2, wrapped_key = n.wrapped
       FROM unnest($3::text[], $4::int[], $5::bytea[], $6::bytea[]) AS n(subject, version, wrapped, former)
       WHERE k.shop = $1 AND k.subject = n.subject AND k.version = n.version AND k.wrapped_key = n.former`,
      [
        ...[shop, epoch],
        fresh.map(({ row }) => row.subject),
        fresh.map(({ row }) => row.version),
        fresh.map(({ wrapped }) => wrapped),
        fresh.map(({ row }) => row.wrapped),
      ],
    );
    onStep();
    count += fresh.length;
    const last = rows.at(-1);
    if (!last) return count;
    after = last;
  }
}

/**
 * Keeps the living keys beside the epoch that wraps them now. A backup of the database names former epochs only: its
 * living data opens by this list, and what was erased is not on it.
 */
async function keepLiving(
  { ask, epochs, onStep }: { ask: Ask; epochs: Epochs; onStep: () => void },
  shop: ShopDomain,
  epoch: string,
): Promise<number> {
  let count = 0;
  let after = { subject: "", version: 0 };
  for (let part = 0; ; part++) {
    const rows = await ask<KeyRow>(
      `SELECT subject, version, epoch, wrapped_key AS wrapped FROM data_keys
       WHERE shop = $1 AND (subject, version) > ($2, $3) AND epoch = $4
       ORDER BY subject, version LIMIT ${10 * PAGE}`,
      [shop, after.subject, after.version, epoch],
    );
    if (rows.length > 0) await epochs.keepLiving(shop, epoch, part, rows);
    onStep();
    count += rows.length;
    const last = rows.at(-1);
    if (!last) return count;
    after = last;
  }
}

/** Ends every other epoch. False while a key names one of them. */
async function end(ask: Ask, shop: ShopDomain, epoch: string): Promise<boolean> {
  try {
    await ask("DELETE FROM key_epochs WHERE shop = $1 AND epoch <> $2", [shop, epoch]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === FOREIGN_KEY) return false;
    throw error;
  }
}

/** SQLSTATE of a row that others still refer to. */
const FOREIGN_KEY = "23503";

async function destroyOthers(epochs: Epochs, shop: ShopDomain, epoch: string): Promise<void> {
  for (const one of await epochs.list(shop)) if (one !== epoch) await epochs.destroy(shop, one);
}
