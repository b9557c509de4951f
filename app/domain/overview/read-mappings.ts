import type { Environment } from "../connections/connection.ts";
import type { ShopDomain, VariantId } from "../ids.ts";
import type { Catalogue } from "../mappings/catalogue.ts";
import { type Cost, costOf } from "../mappings/cost.ts";
import type { Mapping } from "../mappings/mapping.ts";
import type { StoreVariant } from "../mappings/store-products.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";
import type { UnmappedSale } from "./overview-repository.ts";

export type VariantState = "mapped" | "unmapped" | "ignored" | "broken";

export interface MappedVariant {
  variant: StoreVariant;
  state: VariantState;
  mapping: Mapping | null;
  /** Ids that the mapping names and the catalogue lacks. */
  missing: string[];
  cost: Cost | null;
}

export interface MappingsOverview {
  environment: Environment;
  /** Environments that can be mapped for. */
  environments: Environment[];
  catalogue: Catalogue | null;
  variants: MappedVariant[];
  /** Where the next page of variants begins, or null. */
  next: string | null;
  unmappedSales: UnmappedSale[];
}

type Selection = { environment?: Environment; after: string | null; search: string };

/** One page of what the store sells, with what each variant means in one environment. */
export async function readMappings(
  { tenancy, storeProducts }: Pick<Ports, "tenancy" | "storeProducts">,
  { shop, ...selection }: Selection & { shop: ShopDomain },
): Promise<MappingsOverview> {
  const query = searchTerms(selection.search);
  const page = await storeProducts.variants(shop, {
    after: selection.after,
    ...(query ? { query } : {}),
  });
  return tenancy.inShop(shop, async (tenant) => {
    const place = await placeOf(tenant, selection.environment);
    const ids = page.variants.map((variant) => variant.id);
    const mappings = await tenant.mappings.forVariants(place.environment, ids);
    return {
      ...place,
      variants: page.variants.map((variant) =>
        judge(variant, mappings.get(variant.id) ?? null, place.catalogue),
      ),
      next: page.next,
      unmappedSales: await tenant.overview.unmappedSales(),
    };
  });
}

export type VariantOverview = Omit<MappingsOverview, "variants" | "next" | "unmappedSales"> &
  MappedVariant;

/** One variant with its mapping and what it could be mapped to; null when the store does not sell it. */
export async function readVariant(
  { tenancy, storeProducts }: Pick<Ports, "tenancy" | "storeProducts">,
  {
    shop,
    variantId,
    environment,
  }: { shop: ShopDomain; variantId: VariantId; environment?: Environment },
): Promise<VariantOverview | null> {
  const number = variantId.slice(variantId.lastIndexOf("/") + 1);
  const page = await storeProducts.variants(shop, { after: null, query: `id:${number}` });
  const variant = page.variants.find((one) => one.id === variantId);
  if (!variant) return null;
  return tenancy.inShop(shop, async (tenant) => {
    const place = await placeOf(tenant, environment);
    const mappings = await tenant.mappings.forVariants(place.environment, [variantId]);
    return { ...place, ...judge(variant, mappings.get(variantId) ?? null, place.catalogue) };
  });
}

/** Mappings belong to an environment: the one that is asked for, else where new orders go. */
async function placeOf(tenant: Tenant, wanted: Environment | undefined) {
  const settings = await tenant.shops.find();
  const connections = await tenant.connections.all();
  const used = settings?.environment ?? "staging";
  const environment = wanted ?? used;
  return {
    environment,
    environments: [...new Set([used, ...connections.map((one) => one.environment)])],
    catalogue: await tenant.catalogues.find(environment),
  };
}

/** A mapping whose tests or bundle have gone from the catalogue is broken: orders for it would be refused. */
function judge(
  variant: StoreVariant,
  mapping: Mapping | null,
  catalogue: Catalogue | null,
): MappedVariant {
  const none = { variant, mapping, missing: [], cost: null };
  if (!mapping) return { ...none, state: "unmapped" };
  if (mapping.kind === "ignored") return { ...none, state: "ignored" };
  if (!catalogue) return { ...none, state: "mapped" };
  const { bundleId, tests, medicareTests } = mapping.items;
  const known = new Set([...catalogue.tests, ...catalogue.bundles].map((one) => one.id));
  const named = [...(bundleId ? [bundleId] : []), ...tests, ...medicareTests];
  const missing = named.filter((id) => !known.has(id));
  const state = missing.length > 0 ? "broken" : "mapped";
  return { variant, mapping, missing, state, cost: costOf(mapping.items, catalogue) };
}

/** What somebody typed, without the signs and words of Shopify's search language. */
function searchTerms(typed: string): string {
  return typed
    .replace(/["'\\:()<>=*]/g, " ")
    .split(/\s+/)
    .map((word) => word.replace(/^-+/, "").toLowerCase())
    .filter((word) => word && !["and", "or", "not"].includes(word))
    .join(" ");
}
