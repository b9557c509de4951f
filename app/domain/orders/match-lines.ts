import type { LineItemId, VariantId } from "../ids.ts";
import type { Mapping } from "../mappings/mapping.ts";
import type { MappingState, StoreOrderLine } from "./order.ts";

/** What each line of an order means, by the mappings of its connection. */
export function matchLines(
  lines: StoreOrderLine[],
  mappings: ReadonlyMap<VariantId, Mapping>,
): Map<LineItemId, { state: MappingState; mapping: Mapping | null }> {
  return new Map(
    lines.map((line) => {
      const mapping = (line.variantId && mappings.get(line.variantId)) || null;
      return [line.id, { state: stateOf(mapping), mapping }];
    }),
  );
}

function stateOf(mapping: Mapping | null): MappingState {
  if (!mapping) return "unmapped";
  return mapping.kind === "ignored" ? "ignored" : "mapped";
}
