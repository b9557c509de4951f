import pg from "pg";
import { z } from "zod";

export interface Sql {
  /** Runs a statement and reads its rows by the schema of one row. */
  rows<T>(row: z.ZodType<T>, statement: string, values?: readonly unknown[]): Promise<T[]>;
  /** The single number that a statement such as `SELECT count(*) …` answers. */
  count(statement: string, values?: readonly unknown[]): Promise<number>;
  close(): Promise<void>;
}

/** A client on a world's database, as its owner: row-level security does not bind it. */
export function connectSql(databaseUrl: string): Sql {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // A database that is killed by a test breaks idle connections; the next statement opens a new one.
  pool.on("error", () => {});
  const rows: Sql["rows"] = async (row, statement, values = []) => {
    const result = await pool.query(statement, [...values]);
    return z.array(row).parse(result.rows);
  };
  return {
    rows,
    async count(statement, values) {
      const [first] = await rows(z.record(z.string(), z.coerce.number()), statement, values);
      const [number] = Object.values(first ?? {});
      if (number === undefined) throw new Error(`No number came from: ${statement}`);
      return number;
    },
    close: () => pool.end(),
  };
}
