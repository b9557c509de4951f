import type { ReferralServiceError } from "../../platform/errors.ts";
import { publishAllIn } from "../catalogue/publish-details.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import type { ReferralService } from "../referrals/referral-service.ts";
import { resumeWork } from "../referrals/resume-work.ts";
import { type ApiVersion, type Environment, NOT_ENTITLED } from "../shops/connection.ts";

export type TestOutcome =
  | { kind: "ok"; tests: number; bundles: number; apiVersion: ApiVersion }
  /** `code` is the service's own where it says what is wrong, else ours for the kind of failure. */
  | { kind: "failed"; code: string; error: ReferralServiceError }
  | { kind: "no_connection" };

/**
 * Signs in at the service and lists what can be ordered, which is also kept as the catalogue. A failure is
 * an outcome with the service's own code, for app/clients/referral-service/failures to put into words.
 */
export async function testConnection(
  { tenancy, services, clock }: Pick<Ports, "tenancy" | "services" | "clock">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<TestOutcome> {
  const service = await services.forConnection(shop, environment);
  if (!service) return { kind: "no_connection" };
  try {
    const { tests, bundles, apiVersion } = await readCatalogue(service);
    await tenancy.inShop(shop, async (tenant) => {
      const now = clock.now();
      const catalogue = { tests: tests.entries, bundles: bundles.entries, fetchedAt: now };
      await tenant.catalogues.save({ environment, ...catalogue });
      await tenant.unreadable.forgetCatalogue(environment);
      const unreadable = [...tests.unreadable, ...bundles.unreadable];
      await tenant.unreadable.record(environment, unreadable, now);
      await publishAllIn(tenant);
      await tenant.connections.recordTest(environment, { outcome: "ok", apiVersion, at: now });
      // Work that waited for a working connection goes on by itself.
      await resumeWork(tenant, environment);
    });
    const counts = { tests: tests.entries.length, bundles: bundles.entries.length };
    return { kind: "ok", ...counts, apiVersion };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const code = telling(error);
    await tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordTest(environment, { outcome: code, at: clock.now() }),
    );
    return { kind: "failed", code, error };
  }
}

/**
 * Lists what can be ordered by the newest version of the interface that the organisation has (§9). One that refuses 1.1.0,
 * or its bundles, has 1.0.0 only: blood tests and no bundles.
 */
async function readCatalogue(service: ReferralService) {
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

/** A service that is down may answer with any code; only a refusal's is about the credentials. */
function telling({ failure, serviceCode, status, code }: ReferralServiceError): string {
  const isRefusal = ["unauthorized", "rejected", "not_found"].includes(failure);
  if (isRefusal && serviceCode) return serviceCode;
  return status === 403 ? NOT_ENTITLED : code;
}

/**
 * Told by its shape, not by `instanceof`: the build gives the pages a copy of the class of their own, and the
 * client that throws is not in the build.
 */
function isServiceError(error: unknown): error is ReferralServiceError {
  return error instanceof Error && "failure" in error && "serviceCode" in error;
}
