import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { KeyStore } from "./key-store.ts";

const IDENTITY = "identity";

/**
 * Makes sure that this is the folder of keys that belongs to the database, and joins the two when both are new. A process
 * with another folder would seal what no other process can open. Throws with a sentence for whoever starts it.
 */
export async function bindKeyStore(pool: Pool, store: KeyStore): Promise<void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query("BEGIN");
    // Two processes that start together must not name the folder twice.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('pathway key store', 0))");
    const { rows } = await client.query<{ identity: string }>("SELECT identity FROM key_store");
    const wanted = rows[0]?.identity;
    const there = (await store.get(IDENTITY))?.toString();
    if (wanted === undefined) {
      const identity = there ?? randomUUID();
      if (!there) await store.put(IDENTITY, Buffer.from(identity));
      await client.query("INSERT INTO key_store (identity) VALUES ($1)", [identity]);
    } else if (there !== wanted) throw new KeyStoreMissing(store.place, there !== undefined);
    await client.query("COMMIT");
    isDone = true;
  } finally {
    // A connection whose transaction failed is closed, and PostgreSQL takes the transaction back.
    client.release(!isDone);
  }
}

/** Throws unless the folder of keys is still there. `identity` is the database's note of it. */
export async function checkKeyStore(pool: Pool, store: KeyStore): Promise<void> {
  const { rows } = await pool.query<{ identity: string }>("SELECT identity FROM key_store");
  const there = (await store.get(IDENTITY))?.toString();
  if (rows[0] && rows[0].identity !== there)
    throw new KeyStoreMissing(store.place, there !== undefined);
}

class KeyStoreMissing extends Error {
  readonly code = "key_store_missing";
  constructor(place: string, isAnother: boolean) {
    super(
      isAnother
        ? `The folder ${place} holds the keys of another database. Set PATHWAY_KEY_DIR to this database's folder.`
        : `The folder ${place} does not hold this database's keys. Mount it, or set PATHWAY_KEY_DIR.`,
    );
    this.name = "KeyStoreMissing";
  }
}
