import { Prisma } from "../../generated/prisma/client.ts";
import type { Transaction } from "./transactions.ts";

type Reads<Row> = (
  tx: Pick<Transaction, "$queryRaw">,
  /** The text that follows WHERE. */
  condition: Prisma.Sql,
) => Promise<Row[]>;

/**
 * Returns a function that reads rows of a table by a statement that is written out, each column under the name of its field and
 * in the form that Prisma gives it. For what an order or a message asks: through Prisma a reading takes two to three times the
 * processor time (docs/decisions/0150).
 */
export function rowsOf<Row>(table: string, fields: readonly (keyof Row & string)[]): Reads<Row> {
  const columns = Prisma.raw(columnsOf(fields));
  const from = Prisma.raw(`"${table}"`);
  return (tx, condition) =>
    tx.$queryRaw<Row[]>(Prisma.sql`SELECT ${columns} FROM ${from} WHERE ${condition}`);
}

/** Columns under the names of their fields. The first is quoted, by which a connection knows that nothing is written. */
export const columnsOf = (fields: readonly string[]): string =>
  fields.map((field) => `"${columnOf(field)}" AS "${field}"`).join(", ");

/** The text that follows SET: each field's column gets its value. An undefined value leaves its column as it is. One has to be given. */
export const assignments = (values: Record<string, unknown>): Prisma.Sql =>
  Prisma.join(
    Object.entries(values).flatMap(([field, value]) =>
      value === undefined ? [] : [Prisma.sql`${Prisma.raw(`"${columnOf(field)}"`)} = ${value}`],
    ),
  );

const columnOf = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
