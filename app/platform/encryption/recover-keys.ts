import { NotesDamaged } from "../errors.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { type Ask, EpochMissing } from "./data-keys.ts";
import type { Epochs } from "./epochs.ts";
import { epochsOf } from "./replace-epoch.ts";
import { SHOP_SUBJECTS, WHOLE_SHOP } from "./subject.ts";

/**
 * Makes the keys of a shop fit again when the database is older than the folder of keys: a backup names epochs that were
 * destroyed since. Living keys come from the list beside the newest epoch; keys that are not on it were erased, and end
 * here too, as do those of everything that has a tombstone. So do all keys of a time before the whole shop was erased, for its
 * epochs went with it. Does nothing when the two fit.
 * May be done twice at once.
 * Throws `EpochMissing` when the folder is the older one: then it is not this database's, or was lost.
 */
export async function recoverKeys(
  { ask, epochs }: { ask: Ask; epochs: Epochs },
  shop: ShopDomain,
): Promise<{ recovered: number; erased: number }> {
  const there = await epochs.listWhole(shop);
  const isMissing = (epoch: string) => !there.includes(epoch);
  const done = { recovered: 0, erased: 0 };
  if ((await epochsOf(ask, shop)).some(isMissing))
    done.erased = await endErasedShop({ ask, epochs }, shop);
  const named = await epochsOf(ask, shop);
  const missing = named.filter(isMissing);
  if (missing.length > 0) {
    const newest = there.at(-1);
    const last = named.at(-1) ?? "";
    if (!newest || newest < last) throw new EpochMissing(shop, last, epochs.store.place);
    await ask("INSERT INTO key_epochs (shop, epoch) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
      ...[shop, newest],
    ]);
    for await (const keys of epochs.livingKeys(shop, newest)) {
      const rows = await ask(
        `INSERT INTO data_keys AS k (shop, subject, version, epoch, wrapped_key)
         SELECT $1, n.subject, n.version, $2, n.wrapped
         FROM unnest($3::text[], $4::int[], $5::bytea[]) AS n(subject, version, wrapped)
         WHERE n.subject = ANY($6::text[])
            OR EXISTS (SELECT FROM data_keys d
                       WHERE d.shop = $1 AND d.subject = n.subject AND d.version = n.version)
         ON CONFLICT (shop, subject, version) DO UPDATE
           SET epoch = excluded.epoch, wrapped_key = excluded.wrapped_key
           WHERE k.epoch = ANY($7::text[])
         RETURNING subject`,
        [
          ...[shop, newest],
          keys.map((key) => key.subject),
          keys.map((key) => key.version),
          keys.map((key) => key.wrapped),
          ...[Object.values(SHOP_SUBJECTS), missing],
        ],
      );
      done.recovered += rows.length;
    }
    const gone = await ask(
      "DELETE FROM data_keys WHERE shop = $1 AND epoch = ANY($2::text[]) RETURNING subject",
      [shop, missing],
    );
    done.erased += gone.length;
    await ask("DELETE FROM key_epochs WHERE shop = $1 AND epoch = ANY($2::text[])", [
      ...[shop, missing],
    ]);
    await endUnreadableMessages(ask, shop);
  }
  return done;
}

/** When the shop was last erased as a whole; null where it never was. */
export async function shopErasedAt(
  epochs: Pick<Epochs, "tombstones">,
  shop: ShopDomain,
): Promise<Date | null> {
  const tombstones = await epochs.tombstones(shop);
  const whole = tombstones.findLast(({ subject }) => subject === WHOLE_SHOP);
  return whole ? new Date(whole.erasedAt) : null;
}

/**
 * Ends the keys that a shop had before it was erased: the folder has neither their epochs nor a list of the living. Epochs that
 * it was given since, having come back, stay. The shop itself is erased again by its notes, for which it has to be readable.
 */
async function endErasedShop(
  { ask, epochs }: { ask: Ask; epochs: Epochs },
  shop: ShopDomain,
): Promise<number> {
  const erasedAt = await shopErasedAt(epochs, shop);
  if (!erasedAt) return 0;
  const gone = await ask(
    `DELETE FROM data_keys k USING key_epochs e
     WHERE k.shop = $1 AND e.shop = k.shop AND e.epoch = k.epoch AND e.made_at < $2 RETURNING k.subject`,
    [shop, erasedAt],
  );
  await ask("DELETE FROM key_epochs WHERE shop = $1 AND made_at < $2", [shop, erasedAt]);
  await endUnreadableMessages(ask, shop);
  return gone.length;
}

/** Destroys the keys of what was erased after the backup was taken, although no epoch has ended since. */
export async function destroyBuried(
  { ask, epochs }: { ask: Ask; epochs: Epochs },
  shop: ShopDomain,
): Promise<number> {
  const tombstones = await epochs.tombstones(shop);
  if (tombstones.length === 0) return 0;
  const gone = await ask(
    `DELETE FROM data_keys k USING unnest($2::text[], $3::timestamptz[]) AS t(subject, erased_at)
     WHERE k.shop = $1 AND t.subject IN (k.subject, $4) AND k.made_at < t.erased_at RETURNING k.subject`,
    [
      shop,
      tombstones.map((tombstone) => tombstone.subject),
      tombstones.map((tombstone) => tombstone.erasedAt),
      WHOLE_SHOP,
    ],
  );
  return gone.length;
}

/** Messages of the backup whose key has ended since. The orders that they told of are looked for anyway. */
async function endUnreadableMessages(ask: Ask, shop: ShopDomain): Promise<void> {
  await ask(
    `UPDATE inbox SET state = 'unreadable', body_sealed = NULL
     WHERE shop = $1 AND substring(body_sealed FROM 1 FOR 1) = '\\x02' AND NOT EXISTS (
       SELECT FROM data_keys k WHERE k.shop = $1 AND k.subject = 'messages'
         AND int4send(k.version) = substring(body_sealed FROM 2 FOR 4))`,
    [shop],
  );
}

/**
 * Does both for every shop of a database that was restored, before anything is served from it. A shop that cannot be helped is
 * told, and keeps no other one's erased data open.
 */
export async function recoverAllKeys(ports: {
  ask: Ask;
  epochs: Epochs;
  onFailed: (shop: ShopDomain, error: unknown) => void;
}): Promise<{ recovered: number; erased: number }> {
  const all = { recovered: 0, erased: 0 };
  for (const shop of await ports.epochs.shops())
    try {
      const { recovered, erased } = await recoverKeys(ports, shop);
      all.recovered += recovered;
      all.erased += erased;
    } catch (error) {
      ports.onFailed(shop, error);
    } finally {
      all.erased += await destroyBuried(ports, shop);
      const damaged = await ports.epochs.damagedTombstones(shop);
      if (damaged.length > 0) ports.onFailed(shop, new NotesDamaged(damaged));
    }
  return all;
}
