import type { Mapping } from "../../catalogue/mapping.ts";
import type { LineItemId, VariantId } from "../../kernel/ids.ts";
import type { MappingState, StoreOrder, StoreOrderLine } from "../order.ts";
import type { Tenant } from "../tenant.ts";

/** The variants that lines name. */
export const variantsIn = (lines: StoreOrderLine[]): VariantId[] =>
  lines.flatMap((line) => (line.variantId ? [line.variantId] : []));

/** The store names no variant once its product is deleted; what a line meant when it was bought stays. */
export async function withSoldVariants(
  tenant: Tenant,
  { id, lines }: Pick<StoreOrder, "id" | "lines">,
): Promise<StoreOrderLine[]> {
  const sold = await tenant.orders.variantsOf(id);
  return lines.map((line) => {
    const known = line.variantId ? null : sold.get(line.id);
    return known ? { ...line, ...known, productId: line.productId ?? known.productId } : line;
  });
}

/**
 * Finds the meaning of each line of an order, by the mappings of its connection. A line whose variant nobody knows is a
 * person's to judge, even when its product is mapped: that variant may have been the exception. A gift card is no test
 * (docs/decisions/0065).
 */
export function matchLines(
  lines: StoreOrderLine[],
  mappings: ReadonlyMap<VariantId, Mapping>,
): Map<LineItemId, { state: MappingState; mapping: Mapping | null }> {
  return new Map(
    lines.map((line) => {
      if (line.isGiftCard) return [line.id, { state: "ignored", mapping: null }];
      const mapping = (line.variantId && mappings.get(line.variantId)) || null;
      return [line.id, { state: stateOf(mapping), mapping }];
    }),
  );
}

function stateOf(mapping: Mapping | null): MappingState {
  if (!mapping) return "unmapped";
  return mapping.kind === "ignored" ? "ignored" : "mapped";
}
