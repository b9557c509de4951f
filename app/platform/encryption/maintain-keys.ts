import { withLease } from "../database/lease.ts";
import { KeyDamaged } from "../errors.ts";
import { countKeyTrouble, isKeyTrouble } from "../key-troubles.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { askPool } from "./data-keys.ts";
import type { KeyPorts } from "./key-ports.ts";
import { recoverKeys } from "./recover-keys.ts";
import { replaceEpoch } from "./replace-epoch.ts";
import { reseal } from "./reseal.ts";
import { EPOCH_LEASE } from "./rewrap-keys.ts";
import { resealPage } from "./sealed-column.ts";
import { RETIRED_FOR_MS } from "./sealers.ts";
import { SHOP_SUBJECTS, WHOLE_SHOP } from "./subject.ts";
import { KEY_DESTROYED } from "./subject-keys.ts";

/**
 * Does what waits for the keys of any shop: notes erasures outside the database, ends the epochs that wrapped what was
 * erased, and seals anew what an older key sealed. Any number of processes may do it at once, and break off anywhere.
 * A shop whose keys cannot be looked after keeps no other one waiting. The first failure is thrown at the end, unless it is of
 * that shop's keys alone: then it is counted, for everything else of the process is well.
 */
export async function maintainKeys(ports: KeyPorts): Promise<void> {
  const { pool, logger } = ports;
  await endUnused(pool);
  const { rows } = await pool.query<{ shop: ShopDomain }>(
    `SELECT store AS shop FROM tombstones
     UNION SELECT shop FROM resealings WHERE finished_at IS NULL AND begins_at <= now()
     UNION SELECT shop FROM data_keys WHERE retired_at IS NOT NULL
     UNION SELECT shop FROM key_epochs GROUP BY shop HAVING count(*) > 1`,
  );
  const failures: unknown[] = [];
  for (const { shop } of rows)
    try {
      await withLease({ pool, logger }, { shop, name: EPOCH_LEASE }, async () => {
        await endErased(ports, shop);
        await reseal(ports, shop);
      });
    } catch (error) {
      const { subjects } = error instanceof KeyDamaged ? error : {};
      logger.error({ shop, err: error, subjects }, "the keys of a shop could not be looked after");
      if (isKeyTrouble(error)) countKeyTrouble(error);
      else failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/** After so long, work that was under way when its shop was erased has ended, and seals nothing any more. */
const UNUSED_FOR = "1 day";

/**
 * Ends keys that seal nothing. Work that was under way while its shop was erased makes new ones, as does a message from a
 * shop that is not here. Once that shop has neither a row nor a message it is erased again; its folder ends as any other.
 */
async function endUnused(pool: KeyPorts["pool"]): Promise<void> {
  const { rows } = await pool.query<{ shop: string }>(
    `SELECT DISTINCT e.shop FROM key_epochs e
     WHERE NOT EXISTS (SELECT FROM shops s WHERE s.shop = e.shop)`,
  );
  if (rows.length === 0) return;
  await pool.query(
    `WITH unused AS (
       SELECT shop FROM key_epochs e
       WHERE shop = ANY($3)
         AND NOT EXISTS (SELECT FROM inbox i WHERE i.shop = e.shop)
       GROUP BY shop HAVING max(made_at) < now() - interval '${UNUSED_FOR}'
     ), keys AS (
       DELETE FROM data_keys WHERE shop IN (SELECT shop FROM unused)
     ), epochs AS (
       DELETE FROM key_epochs WHERE shop IN (SELECT shop FROM unused)
     ), erased AS (
       INSERT INTO tombstones (store, subject) SELECT shop, $1 FROM unused RETURNING store
     )
     SELECT pg_notify($2, store)::text FROM erased`,
    [WHOLE_SHOP, KEY_DESTROYED, rows.map(({ shop }) => shop)],
  );
}

/** How far the erasures of a shop have come. */
interface Erasures {
  /** Tombstones older than the key of the messages that wait. */
  ids: string[];
  isShopGone: boolean;
  areMessagesOlder: boolean;
  isRetiredKeyInUse: boolean;
  epochs: number;
}

/**
 * Ends what could still open something that was erased. Messages tell of customers too, so their key is another first;
 * what waits is sealed by the new one once nobody seals by the former; then the epoch ends, and with it every copy of
 * the erased keys.
 */
async function endErased(ports: KeyPorts, shop: ShopDomain): Promise<void> {
  const { pool, sealers, logger, onStep = () => {}, retiredForMs = RETIRED_FOR_MS } = ports;
  const { epochs } = sealers;
  const ask = askPool(pool);
  await buryErased(ports, shop);
  await recoverKeys({ ask, epochs }, shop);
  const [state] = await ask<Erasures>(
    `WITH messages AS (
       SELECT max(made_at) FILTER (WHERE retired_at IS NULL) AS since, max(retired_at) AS retired
       FROM data_keys WHERE shop = $1 AND subject = $3
     )
     SELECT ARRAY(SELECT id::text FROM tombstones, messages
                  WHERE store = $1 AND kept_at IS NOT NULL
                    AND (erased_at < since OR since IS NULL)) AS ids,
            EXISTS (SELECT FROM tombstones WHERE store = $1 AND subject = $4) AS "isShopGone",
            EXISTS (SELECT FROM tombstones, messages
                    WHERE store = $1 AND erased_at >= since) AS "areMessagesOlder",
            coalesce((SELECT retired > now() - $2 * interval '1 ms' FROM messages), false)
              AS "isRetiredKeyInUse",
            (SELECT count(*)::int FROM key_epochs WHERE shop = $1) AS epochs`,
    [shop, retiredForMs, SHOP_SUBJECTS.messages, WHOLE_SHOP],
  );
  if (!state) return;
  if (state.isShopGone && state.epochs === 0) {
    await epochs.destroyAll(shop);
    await ask("SELECT end_tombstones($1, NULL)::text", [shop]);
    logger.info({ shop }, "the keys of an erased shop are destroyed");
    return;
  }
  if (state.isRetiredKeyInUse) return;
  if (state.ids.length === 0 && state.areMessagesOlder) {
    await sealers.keys.replace(ask, shop, SHOP_SUBJECTS.messages);
    await ask("SELECT pg_notify($1, $2)::text", [KEY_DESTROYED, shop]);
    return;
  }
  if (state.ids.length === 0 && state.epochs < 2) return;
  await resealMessages(ports, shop);
  await ask(
    "DELETE FROM data_keys WHERE shop = $1 AND subject = $2 AND retired_at < now() - $3 * interval '1 ms'",
    [shop, SHOP_SUBJECTS.messages, retiredForMs],
  );
  const living = await replaceEpoch({ ask, epochs, onStep }, shop);
  await ask("SELECT end_tombstones($1, $2::bigint[])::text", [shop, state.ids]);
  logger.info({ shop, erased: state.ids.length, living }, "the epoch of a shop's keys is another");
}

/** Notes erasures where no backup of the database reaches. */
async function buryErased({ pool, sealers }: KeyPorts, shop: ShopDomain): Promise<void> {
  const ask = askPool(pool);
  const found = await ask<{ id: string; subject: string; erasedAt: Date }>(
    `SELECT id::text, subject, erased_at AS "erasedAt" FROM tombstones
     WHERE store = $1 AND kept_at IS NULL ORDER BY id LIMIT 10000`,
    [shop],
  );
  if (found.length === 0) return;
  await sealers.epochs.bury(
    shop,
    found.map(({ subject, erasedAt }) => ({ subject, erasedAt: erasedAt.toISOString() })),
  );
  await ask(
    "UPDATE tombstones SET kept_at = clock_timestamp() WHERE store = $1 AND id = ANY($2::bigint[])",
    [shop, found.map(({ id }) => id)],
  );
}

async function resealMessages(ports: KeyPorts, shop: ShopDomain): Promise<void> {
  const inbox = ports.columns.find(({ table }) => table === "inbox");
  if (!inbox) throw new Error("No column holds the messages");
  let after: unknown[] | null = null;
  do {
    ({ cursor: after } = await resealPage(ports, shop, inbox, after));
    ports.onStep?.();
  } while (after);
}
