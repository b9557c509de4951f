import type { Pool } from "pg";
import { KeyDamaged, KeyUnknown, SealedDamaged } from "../errors.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { askPool, type KeySet } from "./data-keys.ts";
import { sealerWith } from "./sealer.ts";
import type { Sealers } from "./sealers.ts";
import { sealedStart } from "./sealing.ts";

/** A column of sealed values. Expressions are SQL about a row `t`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** With what its values are authenticated: names of table and column, expression of the row. */
  place: [table: string, column: string, row: string];
  /** Expression of the subject whose key seals. */
  subject: string;
  /** The primary key without the shop: columns and their types. */
  key: [column: string, type: string][];
}

/** How far a look through a column has come, and what it found. */
export interface ResealedPage {
  /** Values of the key at the last row; null at the end. */
  cursor: unknown[] | null;
  looked: number;
  resealed: number;
  unreadable: number;
}

interface SealedRow {
  key: string[];
  row: string;
  subject: string | null;
  sealed: Buffer;
}

/** Long enough for every start of a sealed value that tells its key's version. */
const START_BYTES = 5;
const PAGE = 200;

/**
 * Seals anew what another key than its subject's present one sealed, in one page of a shop's column. A value that
 * somebody writes meanwhile stays as it was written. Bodies are read only where they have to be sealed anew.
 */
export async function resealPage(
  { pool, sealers }: { pool: Pool; sealers: Sealers },
  shop: ShopDomain,
  column: SealedColumn,
  after: unknown[] | null,
): Promise<ResealedPage> {
  const ask = askPool(pool);
  const names = column.key.map(([name]) => `t.${name}`).join(", ");
  const marks = column.key.map(([, type], at) => `$${at + 2}::${type}`).join(", ");
  const rows = await ask<{ key: string[]; subject: string | null; start: Buffer | null }>(
    `SELECT ARRAY[${column.key.map(([name]) => `t.${name}::text`).join(", ")}] AS key,
            ${column.subject} AS subject, substring(t.${column.column} FROM 1 FOR ${START_BYTES}) AS start
     FROM ${column.table} t WHERE t.shop = $1 ${after ? `AND (${names}) > (${marks})` : ""}
     ORDER BY ${names} LIMIT ${PAGE}`,
    [shop, ...(after ?? [])],
  );
  const sealed = rows.flatMap(({ key, subject, start }) =>
    start?.length && subject !== null ? [{ key, subject, start }] : [],
  );
  const sets = await sealers.keys.read(ask, shop, [...new Set(sealed.map((one) => one.subject))]);
  const done: ResealedPage = {
    cursor: rows.length < PAGE ? null : (rows.at(-1)?.key ?? null),
    ...{ looked: rows.length, resealed: 0, unreadable: 0 },
  };
  for (const { key, subject, start } of sealed) {
    const set = sets.get(subject);
    if (set && start.subarray(0, sealedStart(set.current).length).equals(sealedStart(set.current)))
      continue;
    const outcome = await resealOne({ pool, sealers }, shop, column, { key, subject, set });
    if (outcome !== "gone") done[outcome]++;
  }
  return done;
}

async function resealOne(
  { pool, sealers }: { pool: Pool; sealers: Sealers },
  shop: ShopDomain,
  { table, column, place, subject, key }: SealedColumn,
  found: { key: string[]; subject: string; set: KeySet | undefined },
): Promise<"resealed" | "unreadable" | "gone"> {
  const ask = askPool(pool);
  const where = key.map(([name, type], at) => `t.${name} = $${at + 2}::${type}`).join(" AND ");
  const [row] = await ask<SealedRow>(
    `SELECT ${place[2]} AS row, ${subject} AS subject, t.${column} AS sealed
     FROM ${table} t WHERE t.shop = $1 AND ${where}`,
    [shop, ...found.key],
  );
  if (!row?.sealed?.length || row.subject !== found.subject) return "gone";
  const set = found.set ?? (await sealers.keys.readOrMake(ask, shop, found.subject));
  const own = await sealers.forShop(shop);
  const sealer = sealerWith(shop, set, own.open);
  const at = { table: place[0], column: place[1], row: row.row };
  const opened = tryToOpen(() => sealer.open(at, row.sealed));
  if (!opened) return "unreadable";
  const { rowCount } = await pool.query(
    `UPDATE ${table} t SET ${column} = $${key.length + 2}
     WHERE t.shop = $1 AND ${where} AND t.${column} = $${key.length + 3}`,
    [shop, ...found.key, sealer.seal(at, opened), row.sealed],
  );
  return rowCount ? "resealed" : "gone";
}

const NOT_OPENED = [KeyUnknown, KeyDamaged, SealedDamaged];

/** Null when no key opens it: the caller counts it, and the walk's report tells how many there are. */
function tryToOpen(open: () => Buffer): Buffer | null {
  try {
    return open();
  } catch (error) {
    if (NOT_OPENED.some((kind) => error instanceof kind)) return null;
    throw error;
  }
}
