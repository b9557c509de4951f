import { integer } from "./column.ts";
import type { Database, Row } from "./database.ts";

/** The part of a list that is asked for; `afterSeq` null means from the beginning. */
export interface PageRequest {
  sort: "asc" | "desc";
  count: number;
  afterSeq: number | null;
  /** Entries created after this instant are left out (fault `staleListMs`). */
  createdBeforeMs?: number;
}

export interface Page<T> {
  entries: T[];
  /** Where the next page starts; null only when nothing was ever listed. */
  lastSeq: number | null;
}

/**
 * Reads a page by keyset, so that the last page of a long list costs what the first does.
 */
export function readPage<T>(options: {
  database: Database;
  table: "referrals" | "results";
  organisationId: number;
  request: PageRequest;
  fromRow: (row: Row) => T;
}): Page<T> {
  const { database, table, organisationId, request, fromRow } = options;
  const ascending = request.sort === "asc";
  const start = request.afterSeq ?? (ascending ? 0 : Number.MAX_SAFE_INTEGER);
  const rows = database.all(
    `SELECT * FROM ${table} WHERE organisation_id = ? AND seq ${ascending ? ">" : "<"} ? AND created_ms <= ?
     ORDER BY seq ${ascending ? "ASC" : "DESC"} LIMIT ?`,
    organisationId,
    start,
    request.createdBeforeMs ?? Number.MAX_SAFE_INTEGER,
    request.count,
  );
  const last = rows.at(-1);
  return { entries: rows.map(fromRow), lastSeq: last ? integer(last, "seq") : request.afterSeq };
}
