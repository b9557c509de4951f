import type { ClientBase, Pool } from "pg";
import { DatabaseNotWritable, DatabaseSwitched } from "../errors.ts";

export interface Restored {
  /** Why the database counts as restored; null when it does not. */
  because: "identity" | "asked" | null;
  /** Connections that send nothing until their lists have been walked. */
  paused: number;
}

/**
 * Finds out whether this database is a copy of another: restored from a dump, to a point in time, or a standby
 * that was promoted. What happened after the copy was made is not in it, so referrals may exist that it does
 * not know, and sending is paused until the service's lists have told (ledger rule 7). `asked` says so by hand,
 * for copies that cannot be told from the original, such as a snapshot of the disk. `now` is the database's own
 * time unless given. Throws `DatabaseNotWritable` for a standby that was not promoted.
 */
export async function pauseAfterRestore(
  pool: Pool,
  options: { asked: boolean; now?: Date },
): Promise<Restored> {
  const client = await pool.connect();
  let isDone = false;
  try {
    const restored = await pauseOn(client, options);
    isDone = true;
    return restored;
  } finally {
    // A connection whose transaction failed is closed, and PostgreSQL takes the transaction back.
    client.release(!isDone);
  }
}

/**
 * Returns the check that a pool runs on each new connection: the server behind the address may be another one than
 * before. The connection is given out once everything is paused that has to be.
 */
export function identityCheck(onRestored: (restored: Restored) => void) {
  return async (client: ClientBase): Promise<void> => {
    if (await isNoted(client)) return;
    const restored = await pauseOn(client, { asked: false });
    if (restored.because) onRestored(restored);
  };
}

/**
 * The same for a login that may not note anything, as the intake's: `notice` has it noted on another connection. A
 * connection to a database that is not noted after that is closed, with `DatabaseSwitched`.
 */
export function requireNoted(notice: () => Promise<void>) {
  return async (client: ClientBase): Promise<void> => {
    if (await isNoted(client)) return;
    await notice();
    if (!(await isNoted(client))) throw new DatabaseSwitched();
  };
}

async function isNoted(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isNoted: boolean }>(
    `SELECT coalesce(live_identity() = (SELECT identity FROM database_identity), false) AS "isNoted"`,
  );
  return rows[0]?.isNoted ?? false;
}

/** When this rejects, the connection is in a failed transaction and has to be closed. */
async function pauseOn(
  client: ClientBase,
  { asked, now }: { asked: boolean; now?: Date },
): Promise<Restored> {
  await client.query("BEGIN");
  // One at a time: the first one pauses, the others find it done.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('pathway restore', 0))");
  const { rows } = await client.query<{ now: Date }>(
    "SELECT coalesce($1, clock_timestamp()) AS now",
    [now ?? null],
  );
  const at = rows[0]?.now;
  if (!at) throw new Error("The database did not tell the time");
  const isCopy = await recordIdentity(client, at);
  const because = isCopy ? "identity" : asked ? "asked" : null;
  const paused = because ? await pause(client, at) : 0;
  await client.query("COMMIT");
  return { because, paused };
}

/** Writes down which database this is, and which one it was before. Returns whether that was another. */
async function recordIdentity(client: ClientBase, now: Date): Promise<boolean> {
  const { rows } = await client.query<{ present: string | null; noted: string | null }>(
    "SELECT live_identity() AS present, (SELECT identity FROM database_identity) AS noted",
  );
  const [row] = rows;
  if (!row?.present) throw new DatabaseNotWritable();
  if (row.present === row.noted) return false;
  await client.query(
    `INSERT INTO database_identity (identity, noted_at) VALUES ($1, $2)
     ON CONFLICT ("only") DO UPDATE SET
       former_identity = database_identity.identity, identity = $1, noted_at = $2`,
    [row.present, now],
  );
  return row.noted !== null;
}

/**
 * When the shop's timeline last told something: the time of its last entries. There is no index of their times, and a failover
 * must not wait until all of a timeline has been read. An entry further back that is later makes the walk longer, not shorter.
 */
const lastSaid = (shop: string) =>
  `(SELECT max(last.at) FROM (
      SELECT t.at FROM timeline t WHERE t.shop = ${shop} ORDER BY t.id DESC LIMIT 1000) last)`;

/** The newest referral of a connection, unless it is none of the newest of its shop. */
const NEWEST_REFERRAL = `
  (SELECT max(newest.at) FROM (
     SELECT f.environment, f.service_created_at AS at FROM referrals f
     WHERE f.shop = c.shop ORDER BY f.service_created_at DESC LIMIT 1000) newest
   WHERE newest.environment = c.environment)`;

/**
 * The restore point is the last thing that the shop's timeline knows, or the newest referral, which the service dates by its
 * own clock: were ours hours ahead, the walk would end before it came to what was forgotten. Where none is known, it may
 * be a day ahead, as for a search (app/modules/referrals/requests/recovery-lower-bound.ts). It is noted now, for what is linked
 * from here on is newer than much that is still to be found. Walks that were under way in the original are forgotten, and the
 * orders since then are looked for. What was erased since is erased again. The original may live on beside a copy on trial: the
 * stores of documents stay the original's until an operator says otherwise (documents-id.ts).
 */
async function pause(client: ClientBase, now: Date): Promise<number> {
  // The last beat that this database knows of is the least for which the lost one worked (served-until.ts).
  await client.query(
    `UPDATE database_identity SET switched_at = $1, documents_id = NULL,
       served_until = coalesce((SELECT max(beat_at) FROM loop_heartbeats WHERE 'worker' = ANY(roles)), 'epoch')`,
    [now],
  );
  const { rowCount } = await client.query(
    `UPDATE connections c SET
       paused_at = $1,
       restore_point = least(c.restore_point,
         coalesce(${lastSaid("c.shop")}, 'epoch'),
         coalesce(${NEWEST_REFERRAL}, ${lastSaid("c.shop")} - interval '24 hours')),
       sync_list = NULL, sync_cursor = NULL, sync_started_at = NULL, sync_lower_bound = NULL, sync_pages = 0`,
    [now],
  );
  await client.query(
    "UPDATE order_imports SET state = 'cancelled', finished_at = $1 WHERE state = 'running'",
    [now],
  );
  await client.query(
    `WITH begun AS (
       INSERT INTO order_imports (shop, id, asked_by, since, until, started_at)
       SELECT s.shop, gen_random_uuid(), 'restore',
              coalesce(${lastSaid("s.shop")},
                       $1::timestamptz - interval '60 days') - interval '1 hour', $1, $1
       FROM shops s WHERE s.uninstalled_at IS NULL RETURNING shop, id
     )
     INSERT INTO outbox (shop, name, singleton_key, payload)
     SELECT shop, 'import-orders', shop || ' ' || id,
            jsonb_build_object('shop', shop, 'orderImportId', id) FROM begun
     UNION ALL
     SELECT shop, 'sync-connection', shop || ' ' || environment,
            jsonb_build_object('shop', shop, 'environment', environment) FROM connections
     UNION ALL
     SELECT shop, 'replay-erasures', shop, jsonb_build_object('shop', shop) FROM shops`,
    [now],
  );
  return rowCount ?? 0;
}
