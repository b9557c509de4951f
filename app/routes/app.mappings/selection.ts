import { z } from "zod";
import { VARIANT_STATES, type VariantPlace } from "../../modules/catalogue/store-variants.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { searchText } from "../../modules/reports/search-text.ts";
import { ENVIRONMENTS } from "../../modules/shops/connection.ts";

const variantNumber = z
  .string()
  .regex(/^\d{1,20}$/)
  .nullable()
  .catch(null);

const selectionSchema = z.object({
  environment: z.enum(ENVIRONMENTS).optional().catch(undefined),
  state: z.enum(VARIANT_STATES).nullable().catch(null),
  search: searchText,
  /** The variant behind which, or before which, the page begins. */
  after: variantNumber,
  before: variantNumber,
});

export type Selection = z.infer<typeof selectionSchema>;

/** Reads which variants an address of the mapping page asks for. */
export function readSelection(query: URLSearchParams): Selection {
  return selectionSchema.parse({
    environment: query.get("environment") ?? undefined,
    state: query.get("state"),
    search: query.get("q") ?? "",
    after: query.get("after"),
    before: query.get("before"),
  });
}

export function placeOf({ after, before }: Pick<Selection, "after" | "before">): VariantPlace {
  if (after) return { after: gid("ProductVariant", after) };
  return before ? { before: gid("ProductVariant", before) } : null;
}
