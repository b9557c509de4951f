import type { Tenant } from "../privacy/tenant.ts";
import type { Shop } from "../shops/shop.ts";

export const PREFLIGHT_CODES = [
  "connection",
  "mappings",
  "mappings_of_staging",
  "events",
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

/**
 * Looks at what would fail if orders went to production now. Null while production is not connected: then that is the
 * only thing to do.
 */
export async function readPreflight(
  tenant: Pick<Tenant, "connections" | "mappings">,
  shop: Pick<Shop, "releasePolicy" | "reviewer" | "clinicalContact" | "help">,
): Promise<PreflightCheck[] | null> {
  const connection = await tenant.connections.find("production");
  if (!connection) return null;
  const mapped = await tenant.mappings.all("production");
  const known = new Set(mapped.map(({ variantId }) => variantId));
  const isOrdered = ({ kind }: { kind: string }) => kind === "order";
  const left = (await tenant.mappings.all("staging")).filter(
    (mapping) => isOrdered(mapping) && !known.has(mapping.variantId),
  );
  const ordered = mapped.filter(isOrdered).length;
  const required = (code: PreflightCode, isMet: boolean, count: number | null = null) => ({
    ...{ code, isMet, count, isRequired: true },
  });
  const advised = (code: PreflightCode, isMet: boolean, count: number | null = null) => ({
    ...{ code, isMet, count, isRequired: false },
  });
  const { email, phone } = shop.help;
  return [
    required("connection", connection.lastTestOutcome === "ok"),
    required("mappings", ordered > 0, ordered),
    advised("mappings_of_staging", left.length === 0, left.length),
    advised("events", connection.lastEventAt !== null),
    advised("reviewer", shop.reviewer !== null || shop.releasePolicy === "automatic"),
    advised("contact", shop.clinicalContact !== null),
    advised("help", Boolean(email || phone)),
  ];
}

/** Whether something is missing without which no real order can work. */
export const isInTheWay = (checks: readonly PreflightCheck[] | null): boolean =>
  checks === null || checks.some(({ isMet, isRequired }) => isRequired && !isMet);
