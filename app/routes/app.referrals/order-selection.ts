import { z } from "zod";
import type { OrderQuery } from "../../modules/reports/order-selection.ts";
import { readSelection } from "../../modules/reports/selection-text.ts";

const PAGE_SIZE = 25;
const cursor = z.string().min(1).max(300).nullable().catch(null);

/** Reads which orders an address asks for, and which page of them; what it does not understand is left out. */
export function readOrderSelection(query: URLSearchParams): OrderQuery {
  return { ...readSelection(query), ...readPage(query), size: PAGE_SIZE };
}

/** Where the page of an address begins. */
export function readPage(query: URLSearchParams): Pick<OrderQuery, "start"> {
  const after = cursor.parse(query.get("after"));
  const before = cursor.parse(query.get("before"));
  return { start: after ? { after } : before ? { before } : null };
}
