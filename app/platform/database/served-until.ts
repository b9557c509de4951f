import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { KeyStore } from "../encryption/key-store.ts";

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
 * that. `former` is the identity of the lost one.
 */
export async function recordServedUntil(
  pool: Pick<Pool, "query">,
  store: KeyStore,
  former: string,
): Promise<void> {
  const noted = await store.get(nameOf(former));
  const at = new Date(noted?.toString("utf8") ?? "");
  if (Number.isNaN(at.getTime())) return;
  await pool.query(
    `UPDATE database_identity SET served_until = greatest(served_until, least(switched_at, $1))
     WHERE identity = live_identity()`,
    [at],
  );
}
