import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { KeyStore } from "../encryption/key-store.ts";

/** Workers note every 10 s. One that is silent for so long does not work any more. */
const SILENT_AFTER_MS = 5 * 60_000;

/** Each database notes itself under its identity: a copy that was restored does not write over what its original noted. */
const nameOf = (identity: string): string =>
  `serving/${createHash("sha256").update(identity).digest("hex").slice(0, 32)}`;

/**
 * Notes outside the database that it works at this moment. A backup does not know how long the database lived on after it; the
 * folder of keys, which outlives the database, does.
 */
export async function noteServing(pool: Pick<Pool, "query">, store: KeyStore): Promise<void> {
  const { rows } = await pool.query<{ identity: string; now: Date }>(
    "SELECT identity, clock_timestamp() AS now FROM database_identity WHERE identity = live_identity()",
  );
  for (const { identity, now } of rows)
    await store.put(nameOf(identity), Buffer.from(now.toISOString()));
}

/**
 * Looks up until when the database worked whose place this one took, and keeps it beside what this database itself knows of
 * that. Nothing is kept where that one noted nothing.
 */
export async function recordServedUntil(pool: Pick<Pool, "query">, store: KeyStore): Promise<void> {
  const at = (await readFormer(pool, store))?.servedAt;
  if (!at) return;
  await pool.query(
    `UPDATE database_identity SET served_until = greatest(served_until, least(switched_at, $1))
     WHERE identity = live_identity()`,
    [at],
  );
}

/**
 * Whether the database works whose copy this one is: then this one is on trial beside it, or took the place of one that was
 * not stopped. What it did to the folder of keys that both share would be done to the other one's patients.
 */
export async function isFormerServing(
  pool: Pick<Pool, "query">,
  store: KeyStore,
): Promise<boolean> {
  const former = await readFormer(pool, store);
  return former !== null && former.now.getTime() - former.servedAt.getTime() < SILENT_AFTER_MS;
}

async function readFormer(
  pool: Pick<Pool, "query">,
  store: KeyStore,
): Promise<{ servedAt: Date; now: Date } | null> {
  const { rows } = await pool.query<{ former: string | null; now: Date }>(
    "SELECT former_identity AS former, clock_timestamp() AS now FROM database_identity",
  );
  const [row] = rows;
  if (!row?.former) return null;
  const note = await store.get(nameOf(row.former));
  return note && { servedAt: new Date(note.toString("utf8")), now: row.now };
}
