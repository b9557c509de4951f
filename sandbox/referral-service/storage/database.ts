import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { schema } from "./schema.ts";

/** One row as SQLite hands it over. */
export type Row = Record<string, string | number | bigint | null | Uint8Array>;

/** The storage of one environment. All calls are synchronous and run on the event loop's thread. */
export interface Database {
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  run(sql: string, ...values: SQLInputValue[]): number;
  /** Runs `work` in one transaction; nested calls join the outer one. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** How long to wait for a server on the same folder that is about to end. */
const lockTimeoutMs = 3000;

/** Adds a column that a folder of an earlier version does not have. */
function addColumn(
  connection: DatabaseSync,
  { table, column, type }: { table: string; column: string; type: string },
): void {
  const columns = connection.prepare(`PRAGMA table_info(${table})`).all();
  if (columns.some(({ name }) => name === column)) return;
  connection.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
}

/**
 * Opens (and creates) the database of an environment inside a data folder, or in memory.
 *
 * Each environment has a file of its own, so one folder can serve both without ever mixing them.
 * Write-ahead logging: a commit has reached the operating system before it returns, so SIGKILL
 * loses nothing that was acknowledged. A power cut may cost the last moments: waiting for the disk
 * at every create would allow only some 250 creates a second.
 */
export function openDatabase(data: string, environment: string): Database {
  if (data !== ":memory:") mkdirSync(data, { recursive: true });
  const path = data === ":memory:" ? data : join(data, `${environment}.sqlite`);
  const connection = new DatabaseSync(path, { timeout: lockTimeoutMs });
  // One server per file: order numbers are counted in memory.
  connection.exec("PRAGMA locking_mode = EXCLUSIVE;");
  connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  connection.exec(
    "PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456;",
  );
  connection.exec(schema);
  addColumn(connection, { table: "webhooks", column: "previous_secret", type: "TEXT" });

  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };

  let depth = 0;
  return {
    all: (sql, ...values) => prepare(sql).all(...values),
    get: (sql, ...values) => prepare(sql).get(...values),
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    transaction(work) {
      if (depth > 0) return work();
      prepare("BEGIN IMMEDIATE").run();
      depth += 1;
      try {
        const value = work();
        prepare("COMMIT").run();
        return value;
      } catch (error) {
        prepare("ROLLBACK").run();
        throw error;
      } finally {
        depth -= 1;
      }
    },
    close: () => connection.close(),
  };
}
