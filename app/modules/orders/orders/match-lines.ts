import type { Mapping } from "../../catalogue/mapping.ts";
import type { LineItemId, VariantId } from "../../kernel/ids.ts";
import { productsOf } from "../../referrals/order-facts.ts";
import type { Environment } from "../../shops/connection.ts";
import type { MappingState, StoreOrder, StoreOrderLine } from "../order.ts";
import type { Tenant } from "../tenant.ts";

/** The meaning of each line of an order, by the line's id. */
export type LineMatches = ReadonlyMap<LineItemId, LineMatch>;

export interface LineMatch {
  state: MappingState;
  mapping: Mapping | null;
  /** It is part of a bundle that is mapped to a test, and no part of that is: a person says which. */
  isOfBundle?: true;
}

/** The mappings of these lines' products, by the variants that they name. */
export const mappingsOf = (tenant: Tenant, environment: Environment, lines: StoreOrderLine[]) =>
  tenant.mappings.forVariants(
    environment,
    variantsIn([...lines, ...bundlesOf(lines)]),
    productsOf([...lines, ...bundlesOf(lines)]),
  );

const bundlesOf = (lines: StoreOrderLine[]) => lines.flatMap(({ bundle }) => bundle ?? []);

/**
 * Finds the meaning of each line of an order that is about to be recorded. `mappings` are those of the variants that the store
 * names (`mappingsOf`); where it names none for a line, what the line sold is looked up.
 */
export async function matchOrder(
  tenant: Tenant,
  { id, lines }: Pick<StoreOrder, "id" | "lines">,
  {
    environment,
    mappings,
  }: { environment: Environment; mappings: ReadonlyMap<VariantId, Mapping> },
): Promise<LineMatches> {
  if (lines.every((line) => line.variantId)) return matchLines(lines, mappings);
  // Another reading may be writing down what they sold. Mappings first: whoever saves one locks them before orders.
  await tenant.orders.lock(id);
  const sold = await withSoldVariants(tenant, { id, lines });
  return matchLines(sold, await mappingsOf(tenant, environment, sold));
}

/** The variants that lines name. */
export const variantsIn = (lines: Pick<StoreOrderLine, "variantId">[]): VariantId[] =>
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
 * (docs/decisions/0065). A bundle of Shopify's is sold as its parts, so that its own mapping orders nothing: where no part
 * orders anything either, a person is asked.
 */
export function matchLines(
  lines: StoreOrderLine[],
  mappings: ReadonlyMap<VariantId, Mapping>,
): LineMatches {
  const isTest = (variantId: VariantId | null | undefined) =>
    (variantId && mappings.get(variantId))?.kind === "order";
  const ordering = new Set(
    lines.flatMap(({ bundle, variantId }) => (bundle && isTest(variantId) ? bundle.variantId : [])),
  );
  return new Map(
    lines.map((line): [LineItemId, LineMatch] => {
      if (line.isGiftCard) return [line.id, { state: "ignored", mapping: null }];
      if (line.bundle && isTest(line.bundle.variantId) && !ordering.has(line.bundle.variantId))
        return [line.id, { state: "unmapped", mapping: null, isOfBundle: true }];
      const mapping = (line.variantId && mappings.get(line.variantId)) || null;
      return [line.id, { state: stateOf(mapping), mapping }];
    }),
  );
}

function stateOf(mapping: Mapping | null): MappingState {
  if (!mapping) return "unmapped";
  return mapping.kind === "ignored" ? "ignored" : "mapped";
}
