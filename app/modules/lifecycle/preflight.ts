import type { Tenant } from "../privacy/tenant.ts";
import { CLINICAL_TEXTS_VERSION } from "../referrals/clinical-texts.ts";
import { isConnected } from "../shops/connection.ts";
import type { Shop } from "../shops/shop.ts";

export const PREFLIGHT_CODES = [
  "connection",
  "mappings",
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

/** Who has more products than that does not count them. */
const MAX_COUNTED = 5_000;

/**
 * Looks at what would fail if orders went to production now. Null while production is not connected: then that is the
 * only thing to do.
 */
export async function readPreflight(
  tenant: Pick<Tenant, "connections" | "mappings">,
  shop: Pick<Shop, "releasePolicy" | "reviewer" | "clinicalContact" | "clinicalTexts" | "help">,
): Promise<PreflightCheck[] | null> {
  const connection = await tenant.connections.find("production");
  if (!connection) return null;
  const ordered = (await tenant.mappings.ordering("production", MAX_COUNTED)).length;
  const inStaging = await tenant.mappings.ordering("staging", MAX_COUNTED);
  // A variant that is no test in production is a choice too.
  const chosen = await tenant.mappings.list("production", inStaging);
  const left = inStaging.filter((variantId) => !chosen.has(variantId));
  const required = (code: PreflightCode, isMet: boolean, count: number | null = null) => ({
    ...{ code, isMet, count, isRequired: true },
  });
  const advised = (code: PreflightCode, isMet: boolean, count: number | null = null) => ({
    ...{ code, isMet, count, isRequired: false },
  });
  const { email, phone } = shop.help;
  return [
    required("connection", isConnected(connection)),
    required("mappings", ordered > 0, ordered),
    advised("mappings_of_staging", left.length === 0, left.length),
    advised("events", connection.signedEventAt !== null),
    required("clinical_texts", shop.clinicalTexts?.version === CLINICAL_TEXTS_VERSION),
    advised("reviewer", shop.reviewer !== null || shop.releasePolicy === "automatic"),
    advised("contact", shop.clinicalContact !== null),
    advised("help", Boolean(email || phone)),
  ];
}

/**
 * Whether something is missing without which no real order can work. The clinical texts may be accepted with the same
 * change that goes live: whoever saves that asks for them.
 */
export const isInTheWay = (checks: readonly PreflightCheck[] | null): boolean =>
  checks === null ||
  checks.some(({ code, isMet, isRequired }) => isRequired && !isMet && code !== "clinical_texts");
