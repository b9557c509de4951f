import { Prisma } from "../../../../generated/prisma/client.ts";
import { gid, gidNumber, type OrderId } from "../../../kernel/ids.ts";
import type { PageStart } from "../../order-selection.ts";

/** Where a page ended, as an opaque text for the next one's address. */
export function cursorOf(
  row: { orderId: OrderId; paidAtMicros: string; searchKey: string },
  isByNumber: boolean,
): string {
  const number = gidNumber(row.orderId);
  return isByNumber ? `${number}~${row.searchKey}` : `${row.paidAtMicros}-${number}`;
}

const textOf = (start: PageStart) =>
  start === null ? "" : "before" in start ? start.before : start.after;

export const isBackwards = (start: PageStart) => start !== null && "before" in start;

/** An edge among payments: the moment as SQL, and the order. Null begins at the newest: so does a mistyped address. */
export function paymentEdge(start: PageStart): { moment: Prisma.Sql; orderId: OrderId } | null {
  const [, micros, number] = /^(\d{1,16})-(\d{1,20})$/.exec(textOf(start)) ?? [];
  if (!micros || !number) return null;
  const moment = Prisma.sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`;
  return { moment, orderId: gid("Order", number) };
}

/** An edge among the orders that a search found. */
export function searchEdge(start: PageStart): { searchKey: string; orderId: OrderId } | null {
  const [, number, searchKey] = /^(\d{1,20})~(\P{Cc}{0,250})$/u.exec(textOf(start)) ?? [];
  return number && searchKey !== undefined ? { searchKey, orderId: gid("Order", number) } : null;
}
