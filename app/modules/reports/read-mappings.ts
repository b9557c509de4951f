import type { Catalogue } from "../catalogue/catalogue.ts";
import { type Cost, costOf } from "../catalogue/cost.ts";
import { mappingVersion } from "../catalogue/mapping-version.ts";
import { latestRun } from "../catalogue/read-run.ts";
import { freshenStore, type StoreFreshness } from "../catalogue/read-store.ts";
import type { CountedRun } from "../catalogue/run.ts";
import type { StoreVariant, VariantCondition } from "../catalogue/store-products.ts";
import type {
  CopiedVariant,
  ListedVariant,
  VariantPlace,
  VariantState,
} from "../catalogue/store-variants.ts";
import { createSuggester, type Suggestion } from "../catalogue/suggest.ts";
import type { ShopDomain, VariantId } from "../kernel/ids.ts";
import type { RegisteredPractitioner } from "../referrals/practitioner.ts";
import type { Environment } from "../shops/connection.ts";
import { SERVICE_CURRENCY } from "../shops/shop.ts";
import type { UnmappedSale } from "./home-figures.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type { VariantState };

const PAGE = 50;

export interface MappedVariant extends ListedVariant {
  /** Ids that the mapping names and the catalogue lacks. */
  missing: string[];
  cost: Cost | null;
  /** For an unmapped or broken variant: what the catalogue has that it could be. */
  suggestion: Suggestion | null;
  /** For an unmapped variant: the mapped one that it looks like. */
  copyOf: CopiedVariant | null;
}

interface Place {
  environment: Environment;
  /** Environments that can be mapped for. */
  environments: Environment[];
  catalogue: Catalogue | null;
  /** The currency of the store's prices. */
  currency: string;
}

export interface MappingsOverview extends Place {
  freshness: StoreFreshness;
  variants: MappedVariant[];
  hasNext: boolean;
  hasPrevious: boolean;
  counts: Record<VariantState, number>;
  /** How many unmapped variants look like mapped ones. */
  copies: number;
  unmappedSales: UnmappedSale[];
  /** The change of many that is under way, or the last one. */
  run: CountedRun | null;
  /** Why product pages could not be written, or null. */
  publishFailure: string | null;
}

interface Selection {
  environment?: Environment;
  state: VariantState | null;
  search: string;
  place: VariantPlace;
}

/** One page of what the store sells, with what each variant means in one environment. */
export async function readMappings(
  ports: Pick<Ports, "tenancy" | "storeProducts">,
  { shop, ...selection }: Selection & { shop: ShopDomain },
): Promise<MappingsOverview> {
  const freshness = await freshenStore(ports, shop);
  return ports.tenancy.inShop(shop, async (tenant) => {
    const place = await placeOf(tenant, selection.environment);
    const { environment, catalogue } = place;
    const filter = { environment, catalogue, search: selection.search };
    const page = await tenant.storeVariants.page(
      { ...filter, state: selection.state },
      selection.place,
      PAGE,
    );
    return {
      ...place,
      freshness,
      variants: await judge(tenant, page.variants, place),
      hasNext: page.hasNext,
      hasPrevious: page.hasPrevious,
      counts: await tenant.storeVariants.counts(filter),
      copies: await tenant.storeVariants.countCopies(environment),
      unmappedSales: await tenant.overview.unmappedSales(environment),
      run: await latestRun(tenant, environment),
      publishFailure: await tenant.publishedDetails.failure(),
    };
  });
}

export type VariantOverview = Place &
  MappedVariant & {
    practitioners: RegisteredPractitioner[];
    clinicalNotes: string | null;
    preparation: string | null;
    /** Of its mapping and its product's (`mappingVersion`). */
    version: string;
    /** All variants of its product, itself among them. */
    siblings: ListedVariant[];
  };

/**
 * One variant with its mapping and what it could be mapped to, as the store has it now, or as it had it when it
 * does not answer. Null when nobody knows the variant.
 */
export async function readVariant(
  { tenancy, storeProducts }: Pick<Ports, "tenancy" | "storeProducts">,
  {
    shop,
    variantId,
    environment,
  }: { shop: ShopDomain; variantId: VariantId; environment?: Environment },
): Promise<VariantOverview | null> {
  const now = await tenancy.inShop(shop, (tenant) => tenant.storeVariants.beginReading());
  const condition: VariantCondition = { kind: "variants", variantIds: [variantId] };
  let found: StoreVariant[] = [];
  let failure: unknown = null;
  try {
    found = (await storeProducts.variants(shop, { after: null, condition })).variants;
  } catch (error) {
    failure = error;
  }
  return tenancy.inShop(shop, async (tenant) => {
    await tenant.storeVariants.put(found, now);
    const place = await placeOf(tenant, environment);
    const known = await tenant.storeVariants.find(place, variantId);
    if (!known && failure) throw failure;
    const [variant] = known ? await judge(tenant, [known], place) : [];
    if (!variant) return null;
    const stored = await tenant.mappings.list(place.environment, [variantId]);
    const meaning = stored.get(variantId);
    const { clinicalNotes = null, preparation = null } = meaning?.kind === "order" ? meaning : {};
    const practitioners = await tenant.practitioners.all();
    const siblings = await tenant.storeVariants.ofProduct(place, variant.productId);
    const ofProduct = await tenant.mappings.ofProduct(place.environment, variant.productId);
    const version = mappingVersion(ofProduct, variantId);
    const texts = { clinicalNotes, preparation };
    return { ...place, ...variant, ...texts, version, practitioners, siblings };
  });
}

/** Mappings belong to an environment: the one that is asked for, else where new orders go. */
async function placeOf(tenant: Tenant, wanted: Environment | undefined): Promise<Place> {
  const settings = await tenant.shops.find();
  const connections = await tenant.connections.all();
  const used = settings?.environment ?? "staging";
  const environment = wanted ?? used;
  return {
    environment,
    environments: [...new Set([used, ...connections.map((one) => one.environment)])],
    catalogue: await tenant.catalogues.find(environment),
    currency: settings?.currency ?? SERVICE_CURRENCY,
  };
}

/** Finds what is wrong with mappings, what they cost, and what could be done about variants that lack a good one. */
async function judge(
  tenant: Tenant,
  variants: ListedVariant[],
  { environment, catalogue }: Place,
): Promise<MappedVariant[]> {
  const unmapped = variants.filter((one) => one.state === "unmapped").map((one) => one.id);
  const copies = await tenant.storeVariants.copiedVariants(environment, unmapped);
  const suggest = createSuggester(catalogue ?? { tests: [], bundles: [] });
  const known =
    catalogue && new Set([...catalogue.tests, ...catalogue.bundles].map((one) => one.id));
  return variants.map((variant) => {
    const items = variant.mapping?.kind === "order" ? variant.mapping.items : null;
    const named = items
      ? [...(items.bundleId ? [items.bundleId] : []), ...items.tests, ...items.medicareTests]
      : [];
    const isOpen = variant.state === "unmapped" || variant.state === "broken";
    return {
      ...variant,
      missing: known ? named.filter((id) => !known.has(id)) : [],
      cost: items && catalogue ? costOf(items, catalogue) : null,
      suggestion: isOpen && !variant.isDeleted ? suggest(variant) : null,
      copyOf: copies.get(variant.id) ?? null,
    };
  });
}
