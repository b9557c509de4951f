import { z } from "zod";
import type { OrderWorld } from "./order-world.ts";

const tableSize = z.object({ name: z.string(), bytes: z.coerce.number() });
const writtenLog = z.object({ bytes: z.coerce.number() });

/** The bytes of each table with its indexes but those of documents' bodies, the largest first. */
export async function tableSizes({ sql }: OrderWorld): Promise<ReadonlyMap<string, number>> {
  const sizes = await sql.rows(
    tableSize,
    `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname IN ('public', 'pgboss') AND c.relname <> 'document_bodies'
     ORDER BY bytes DESC`,
  );
  return new Map(sizes.map(({ name, bytes }) => [name, bytes]));
}

/** How much WAL was ever written. */
export async function writtenWal({ sql }: OrderWorld): Promise<number> {
  const query = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes";
  const [log] = await sql.rows(writtenLog, query);
  return log?.bytes ?? Number.NaN;
}

/** Gives the space of dead rows back: all of it, so that only what is alive is left, when it is `FULL`. */
export async function vacuum({ sql }: OrderWorld, form: "" | "FULL" = ""): Promise<void> {
  await sql.rows(z.object({}), `VACUUM ${form}`);
}

export const total = (tables: ReadonlyMap<string, number>) =>
  [...tables.values()].reduce((sum, bytes) => sum + bytes, 0);
