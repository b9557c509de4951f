import type { ReferralServiceError } from "../../platform/errors.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { ReferralService } from "../referrals/referral-service.ts";
import type { Environment } from "../shops/connection.ts";
import { countBroken, tellBroken } from "./broken-mappings.ts";
import type { Ports } from "./ports.ts";
import { publishAllIn } from "./publish-details.ts";
import type { Tenant } from "./tenant.ts";

type Listed = Awaited<ReturnType<typeof listCatalogue>>;

/** Prices and tests change rarely; a day is what a merchant may be behind. */
export const CATALOGUE_KEPT_MS = 24 * 3_600_000;

/**
 * Lists what can be ordered anew, so that prices, margins and mappings whose test has gone are judged by what holds now.
 * The merchant's own test of the connection is left as it is. A failure leaves the catalogue that is known, and is tried
 * again. So does an empty list where there was something: nobody is looking, and every mapping would be broken by it. A
 * person's test of the connection takes it at its word.
 */
export async function refreshCatalogue(
  { tenancy, services, clock }: Pick<Ports, "tenancy" | "services" | "clock">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<"refreshed" | "nothing_listed" | "no_connection"> {
  const service = await services.forConnection(shop, environment);
  if (!service) return "no_connection";
  const listed = await listCatalogue(service);
  const isEmpty = listed.tests.entries.length + listed.bundles.entries.length === 0;
  return tenancy.inShop(shop, async (tenant) => {
    const known = await tenant.catalogues.find(environment);
    if (isEmpty && known && known.tests.length + known.bundles.length > 0) return "nothing_listed";
    await keepCatalogue(tenant, environment, listed, clock.now());
    return "refreshed";
  });
}

/** Asks for the catalogues that are older than a day, or were never listed. */
export async function refreshWhenDue(tenant: Tenant, now: Date): Promise<void> {
  for (const { environment } of await tenant.connections.all()) {
    const known = await tenant.catalogues.find(environment);
    if (known && now.getTime() - known.fetchedAt.getTime() < CATALOGUE_KEPT_MS) continue;
    await tenant.jobs.enqueue({ name: "refresh-catalogue", shop: tenant.shop, environment });
  }
}

/**
 * Stores what was listed and by which version, tells of products that it breaks, and has product pages say what holds now. An
 * organisation that was given another version since the connection was tested is ordered from by that one.
 */
export async function keepCatalogue(
  tenant: Tenant,
  environment: Environment,
  { tests, bundles, apiVersion }: Listed,
  now: Date,
): Promise<void> {
  const catalogue = { tests: tests.entries, bundles: bundles.entries, fetchedAt: now };
  const before = await countBroken(tenant, environment);
  await tenant.catalogues.save({ environment, ...catalogue });
  await tellBroken(tenant, { environment, before, at: now });
  await tenant.unreadable.forgetCatalogue(environment);
  await tenant.unreadable.record(environment, [...tests.unreadable, ...bundles.unreadable], now);
  await publishAllIn(tenant);
  await tenant.connections.recordVersion(environment, apiVersion);
}

/**
 * Lists what can be ordered by the newest version of the interface that the organisation has (§9). One that refuses 1.1.0,
 * or its bundles, has 1.0.0 only: blood tests and no bundles.
 */
export async function listCatalogue(service: ReferralService) {
  try {
    const [tests, bundles] = await Promise.all([service.listTests("1.1.0"), service.listBundles()]);
    return { tests, bundles, apiVersion: "1.1.0" as const };
  } catch (error) {
    if (!isServiceError(error) || !REFUSES_A_VERSION.has(error.status ?? 0)) throw error;
    const tests = await service.listTests("1.0.0");
    return { tests, bundles: { entries: [], unreadable: [] }, apiVersion: "1.0.0" as const };
  }
}

/** The interface shows 400 for what needs another version (§4.2 rule 5); a service may not know the path, or the type. */
const REFUSES_A_VERSION: ReadonlySet<number> = new Set([400, 404, 406, 415]);

/**
 * Told by its shape, not by `instanceof`: the build gives the pages a copy of the class of their own, and the
 * client that throws is not in the build.
 */
export function isServiceError(error: unknown): error is ReferralServiceError {
  return error instanceof Error && "failure" in error && "serviceCode" in error;
}
