import { isOnSale, MAX_MAPPINGS_COUNTED } from "../catalogue/broken-mappings.ts";
import { costOf } from "../catalogue/cost.ts";
import { describeLoss } from "../catalogue/mapping-words.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { CLINICAL_TEXTS_VERSION } from "../referrals/clinical-texts.ts";
import { type Environment, isConnected } from "../shops/connection.ts";
import type { Shop } from "../shops/shop.ts";

export const PREFLIGHT_CODES = [
  "connection",
  "mappings",
  "mappings_broken",
  "losses",
  "mappings_of_staging",
  "events",
  "clinical_texts",
  "reviewer",
  "contact",
  "help",
] as const;
export type PreflightCode = (typeof PREFLIGHT_CODES)[number];

/** One thing that real orders need, as it stands now. */
export interface PreflightCheck {
  code: PreflightCode;
  isMet: boolean;
  /** Without it no real order can work: nobody goes live before. */
  isRequired: boolean;
  /** How many are concerned, where that can be counted. */
  count: number | null;
}

/** The mappings of one environment as far as they order something: how many of each are there. */
interface MappingCounts {
  /** Those that the service can take. */
  working: number;
  /** On sale, though the service cannot take it. */
  broken: number;
  /** On sale for less than the service charges. */
  losses: number;
}

/** Counts what is mapped by the catalogue and the prices as they are stored. What the store no longer has counts for nothing. */
async function countMappings(
  tenant: Pick<Tenant, "catalogues" | "mappings" | "storeVariants">,
  { environment, currency }: { environment: Environment; currency: string },
): Promise<MappingCounts> {
  const catalogue = await tenant.catalogues.find(environment);
  const ordering = await tenant.mappings.ordering(environment, MAX_MAPPINGS_COUNTED);
  const known = await tenant.storeVariants.some({ environment, catalogue }, ordering);
  const faulty = known.filter(({ state }) => state === "broken");
  const losses = known.filter((one) => {
    const { state, mapping, priceCents: cents } = one;
    if (!catalogue || state !== "mapped" || mapping?.kind !== "order") return false;
    return isOnSale(one) && describeLoss({ cents, currency }, costOf(mapping.items, catalogue));
  });
  return {
    // A variant that was not read from the store yet is nobody's fault.
    working: ordering.length - faulty.length,
    broken: faulty.filter(isOnSale).length,
    losses: losses.length,
  };
}

/**
 * Looks at what would fail if orders went to production now. Null while production is not connected: then that is the
 * only thing to do.
 */
export async function readPreflight(
  tenant: Pick<Tenant, "connections" | "mappings" | "catalogues" | "storeVariants">,
  shop: Pick<
    Shop,
    "releasePolicy" | "reviewer" | "clinicalContact" | "clinicalTexts" | "help" | "currency"
  >,
): Promise<PreflightCheck[] | null> {
  const connection = await tenant.connections.find("production");
  if (!connection) return null;
  const { currency } = shop;
  const counts = await countMappings(tenant, { environment: "production", currency });
  const { working, broken, losses } = counts;
  const left = await countLeft(tenant);
  const required = (code: PreflightCode, isMet: boolean, count: number | null = null) => ({
    ...{ code, isMet, count, isRequired: true },
  });
  const advised = (code: PreflightCode, isMet: boolean, count: number | null = null) => ({
    ...{ code, isMet, count, isRequired: false },
  });
  const { email, phone } = shop.help;
  return [
    required("connection", isConnected(connection)),
    required("mappings", working > 0, working),
    ...(broken > 0 ? [required("mappings_broken", false, broken)] : []),
    ...(losses > 0 ? [advised("losses", false, losses)] : []),
    advised("mappings_of_staging", left === 0, left),
    advised("events", connection.signedEventAt !== null),
    required("clinical_texts", shop.clinicalTexts?.version === CLINICAL_TEXTS_VERSION),
    advised("reviewer", shop.reviewer !== null || shop.releasePolicy === "automatic"),
    advised("contact", shop.clinicalContact !== null),
    advised("help", Boolean(email || phone)),
  ];
}

/** How many variants that the store has order something in staging, and have no meaning in production. */
async function countLeft(tenant: Pick<Tenant, "mappings" | "storeVariants">): Promise<number> {
  const inStaging = await tenant.mappings.ordering("staging", MAX_MAPPINGS_COUNTED);
  // A variant that is no test in production is a choice too.
  const chosen = await tenant.mappings.list("production", inStaging);
  const left = inStaging.filter((variantId) => !chosen.has(variantId));
  const place = { environment: "staging", catalogue: null } as const;
  const known = await tenant.storeVariants.some(place, left);
  return left.length - known.filter(({ isDeleted }) => isDeleted).length;
}

/**
 * Finds what is in the way of going live. The clinical texts may be accepted with the same change: whoever saves that asks
 * for them. What costs more than before is told once: `before` are the checks that the merchant could have read.
 */
export function findInTheWay(
  checks: readonly PreflightCheck[],
  before: readonly PreflightCheck[],
): PreflightCheck[] {
  const lossesBefore = before.find(({ code }) => code === "losses")?.count ?? 0;
  return checks.filter(({ code, isMet, isRequired, count }) =>
    isRequired
      ? !isMet && code !== "clinical_texts"
      : code === "losses" && (count ?? 0) > lossesBefore,
  );
}
