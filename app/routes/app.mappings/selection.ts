import { z } from "zod";
import { searchText } from "../../components/lists/search-text.ts";
import { ENVIRONMENTS } from "../../domain/connections/connection.ts";

const selectionSchema = z.object({
  environment: z.enum(ENVIRONMENTS).optional().catch(undefined),
  search: searchText,
  after: z.string().min(1).max(500).nullable().catch(null),
  /** Where the pages before this one began, oldest first: the store lists its variants forwards only. */
  trail: z.array(z.string().max(500)).max(200).catch([]),
});

export type Selection = z.infer<typeof selectionSchema>;

/** Reads which variants an address of the mapping page asks for. */
export function readSelection(query: URLSearchParams): Selection {
  return selectionSchema.parse({
    environment: query.get("environment") ?? undefined,
    search: query.get("q") ?? "",
    after: query.get("after"),
    trail: query.getAll("trail"),
  });
}
