import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { errorCode } from "../error-code.ts";
import type { KeyStore } from "./key-store.ts";

const IDENTITY = "identity";
const FORM = /^[0-9a-f-]{36}$/;

type Query = Pick<PoolClient, "query">;

/**
 * Finds this database's part of the folder of keys, and begins one where the database is new. Several databases may share a
 * folder and see nothing of each other's keys. A database that was restored from a time before it had keys takes the only
 * part that is there, for the notes of its erasures. Throws with a sentence when the folder can't be used, or the part is missing: a
 * process without it would seal what no other process can open.
 */
export async function bindKeyStore(client: Query, store: KeyStore): Promise<KeyStore> {
  await client.query("BEGIN");
  try {
    // Two processes that start together must not begin two parts.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('pathway key store', 0))");
    const identity = (await identityOf(client)) ?? (await begin(client, store));
    const part = partOf(store, identity);
    if ((await usable(store, part.get(IDENTITY))) === null) throw new KeyStoreMissing(store.place);
    await client.query("COMMIT");
    return part;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Throws unless this part of the folder of keys is still there. */
export async function checkKeyStore(pool: Pick<Pool, "query">, part: KeyStore): Promise<void> {
  const wanted = await identityOf(pool);
  if (wanted && (await part.get(IDENTITY))?.toString() !== wanted)
    throw new KeyStoreMissing(part.place);
}

async function begin(client: Query, store: KeyStore): Promise<string> {
  const { rows } = await client.query<{ isRestored: boolean }>(
    `SELECT EXISTS (SELECT FROM database_identity
                    WHERE identity IS DISTINCT FROM live_identity() OR switched_at IS NOT NULL) AS "isRestored"`,
  );
  const parts = (await usable(store, store.list(""))).filter((name) => FORM.test(name));
  const only = rows[0]?.isRestored && parts.length === 1 ? parts[0] : undefined;
  const identity = only ?? randomUUID();
  if (!only) await usable(store, partOf(store, identity).put(IDENTITY, Buffer.from(identity)));
  await client.query("INSERT INTO key_store (identity) VALUES ($1)", [identity]);
  return identity;
}

async function identityOf(client: Query | Pick<Pool, "query">): Promise<string | undefined> {
  const { rows } = await client.query<{ identity: string }>("SELECT identity FROM key_store");
  return rows[0]?.identity;
}

function partOf(store: KeyStore, identity: string): KeyStore {
  const inside = (name: string) => (name ? `${identity}/${name}` : identity);
  return {
    place: `${store.place}/${identity}`,
    put: (name, value) => store.put(inside(name), value),
    get: (name) => store.get(inside(name)),
    list: (under) => store.list(inside(under)),
    remove: (name) => store.remove(inside(name)),
  };
}

/** The file system's own words name no setting. */
async function usable<T>({ place }: KeyStore, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    const remedy = "set PATHWAY_KEY_DIR to one that this process may make, read and write";
    throw new Error(
      `${place} can't be used as the folder of keys (${errorCode(cause)}): ${remedy}.`,
      { cause },
    );
  }
}

class KeyStoreMissing extends Error {
  readonly code = "key_store_missing";
  constructor(place: string) {
    super(`${place} does not hold this database's keys. Mount the folder, or set PATHWAY_KEY_DIR.`);
    this.name = "KeyStoreMissing";
  }
}
