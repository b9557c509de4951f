import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { OrderId } from "../../kernel/ids.ts";
import type { Environment } from "../../shops/connection.ts";
import type { AgeingReferral } from "../home-figures.ts";
import type { Tenant } from "../tenant.ts";

const DAY_MS = 86_400_000;
/** More than this are not looked at: the oldest say enough. */
const LOOKED_AT = 200;

export interface LateReferral {
  orderId: OrderId;
  orderName: string;
  title: string;
  issuedAt: Date;
  /** The published maximum of the slowest test, in days. */
  publishedDays: number;
}

export interface Ageing {
  /** Longest overdue first. */
  late: LateReferral[];
  /** Whether there may be more than were looked at. */
  isMore: boolean;
}

/**
 * Referrals whose form was issued longer ago than the catalogue's published maximum turnaround of their slowest test,
 * and for which nothing has come: a lost sample, or a patient who has not gone yet.
 */
export async function readAgeing(tenant: Tenant, now: Date): Promise<Ageing> {
  const catalogues = new Map<Environment, Catalogue | null>();
  for (const environment of ["staging", "production"] as const)
    catalogues.set(environment, await tenant.catalogues.find(environment));
  const fastest = Math.min(
    ...[...catalogues.values()].flatMap((one) => (one?.tests ?? []).map(maximumDays)),
  );
  // Nothing is published, so nothing can be late.
  if (!Number.isFinite(fastest)) return { late: [], isMore: false };
  const before = new Date(now.getTime() - fastest * DAY_MS);
  const waiting = await tenant.overview.withoutResults(before, LOOKED_AT);
  const late = waiting.flatMap((referral) => {
    const publishedDays = turnaroundOf(referral, catalogues.get(referral.environment) ?? null);
    if (publishedDays === null) return [];
    const isLate = referral.issuedAt.getTime() + publishedDays * DAY_MS < now.getTime();
    const { orderId, orderName, title, issuedAt } = referral;
    return isLate ? [{ orderId, orderName, title, issuedAt, publishedDays }] : [];
  });
  return { late, isMore: waiting.length === LOOKED_AT };
}

const maximumDays = (test: Catalogue["tests"][number]) =>
  test.turnaround?.maximumDays ?? Number.POSITIVE_INFINITY;

/** Null when one of its tests publishes no maximum: it may take as long as it likes. */
function turnaroundOf(
  { bundleId, tests }: Pick<AgeingReferral, "bundleId" | "tests">,
  catalogue: Catalogue | null,
): number | null {
  const bundle = catalogue?.bundles.find((one) => one.id === bundleId);
  const ids = new Set([...tests, ...(bundle?.tests.map((test) => test.id) ?? [])]);
  const own = (catalogue?.tests ?? []).filter((test) => ids.has(test.id));
  const slowest = Math.max(...own.map(maximumDays));
  return own.length > 0 && Number.isFinite(slowest) ? slowest : null;
}
