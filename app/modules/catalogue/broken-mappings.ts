import type { Environment } from "../shops/connection.ts";
import { noteAlert } from "../shops/note-alert.ts";
import { type ListedVariant, NOT_ON_SALE } from "./store-variants.ts";
import type { Tenant } from "./tenant.ts";

/** A shop with more products than that does not count them all. */
export const MAX_MAPPINGS_COUNTED = 5_000;

/** A product that is not on sale harms nobody. */
export const isOnSale = ({
  isDeleted,
  productStatus,
}: Pick<ListedVariant, "isDeleted" | "productStatus">): boolean =>
  !isDeleted && !NOT_ON_SALE.includes(productStatus);

/**
 * Counts the variants on sale that cannot be ordered as they are mapped: the service does not offer what they order any more,
 * or refuses the practitioner.
 */
export async function countBroken(
  tenant: Pick<Tenant, "catalogues" | "storeVariants">,
  environment: Environment,
): Promise<number> {
  const catalogue = await tenant.catalogues.find(environment);
  return tenant.storeVariants.countBroken({ environment, catalogue });
}

/**
 * Tells the shop that products on sale came to be broken, before somebody buys them. Only where new orders go: anything else
 * harms nobody. `before`: how many were broken as the shop knew it.
 */
export async function tellBroken(
  tenant: Tenant,
  { environment, before, at }: { environment: Environment; before: number; at: Date },
): Promise<void> {
  const settings = await tenant.shops.find();
  if (!settings?.installed || settings.environment !== environment) return;
  const products = await countBroken(tenant, environment);
  if (products <= before) return;
  await noteAlert(tenant, settings, {
    occurrence: `broken ${at.toISOString()}`,
    facts: { kind: "attention", orders: [], count: 0, broken: { environment, products } },
    at,
  });
}
