import { z } from "zod";
import { ORDER_FILTERS, ORDER_MODES, ORDER_SORTS, type OrderSelection } from "./order-selection.ts";
import { searchText } from "./search-text.ts";

/** A 30th of February is read as a day of March, and by the database not at all. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const day = z
  .string()
  .regex(/^20\d\d-\d\d-\d\d$/)
  .refine(isDay)
  .nullable()
  .catch(null);

const selectionSchema = z.object({
  status: z.enum(ORDER_FILTERS).catch("all"),
  orderMode: z.enum(ORDER_MODES).nullable().catch(null),
  from: day,
  until: day,
  sort: z.enum(ORDER_SORTS).catch("newest"),
  q: searchText,
});

/** Reads which orders a text asks for, as an address or a saved view has it; what it does not understand is left out. */
export function readSelection(text: string | URLSearchParams): OrderSelection {
  const query = typeof text === "string" ? new URLSearchParams(text) : text;
  const { status, orderMode, from, until, sort, q } = selectionSchema.parse({
    status: query.get("status"),
    orderMode: query.get("mode") ?? query.get("lane"),
    from: query.get("from"),
    until: query.get("until"),
    sort: query.get("sort"),
    q: query.get("q"),
  });
  return {
    filter: status,
    orderMode,
    paidFrom: from,
    paidUntil: until,
    sort,
    search: q.replace(/^#/, ""),
  };
}
