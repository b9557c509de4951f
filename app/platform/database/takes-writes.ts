import type { Pool } from "pg";
import { DatabaseNotWritable } from "../errors.ts";
import { refusalOf } from "./refusal.ts";

/**
 * True where what is asked for next would be written: neither a standby, nor a server, database or login that somebody made
 * read-only, as some hosts do when the disk is full.
 */
const TAKES_WRITES = `SELECT NOT current_setting('transaction_read_only')::boolean AS "takesWrites"`;

/** Asks on one connection. */
export async function askTakesWrites(client: Pick<Pool, "query">): Promise<boolean> {
  const { rows } = await client.query<{ takesWrites: boolean }>(TAKES_WRITES);
  return rows[0]?.takesWrites === true;
}

/**
 * Asks on any connection of a pool, and closes one that takes none: what a session may do was said at its beginning, and holds
 * until it ends.
 */
export async function takesWrites(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  let takes = false;
  try {
    takes = await askTakesWrites(client);
    return takes;
  } finally {
    client.release(!takes);
  }
}

/** PostgreSQL's code for a write where none may be. */
const READ_ONLY = "25006";

/** Whether a statement was refused because nothing may be written, or was not even tried. */
export const takesNoWrites = (error: unknown): boolean =>
  error instanceof DatabaseNotWritable || refusalOf(error)?.code === READ_ONLY;
