import { z } from "zod";
import { searchText } from "../../components/lists/search-text.ts";
import { ORDER_FILTERS, type OrderQuery } from "../../domain/overview/overview-repository.ts";

const PAGE_SIZE = 25;
const cursor = z.string().min(1).max(300).optional().catch(undefined);

const selectionSchema = z.object({
  status: z.enum(ORDER_FILTERS).catch("all"),
  q: searchText,
  after: cursor,
  before: cursor,
});

/** Reads which orders an address asks for; what it does not understand is left out. */
export function readOrderSelection(query: URLSearchParams): OrderQuery {
  const { status, q, after, before } = selectionSchema.parse(Object.fromEntries(query));
  return {
    filter: status,
    search: q.replace(/^#/, ""),
    start: after ? { after } : before ? { before } : null,
    size: PAGE_SIZE,
  };
}
