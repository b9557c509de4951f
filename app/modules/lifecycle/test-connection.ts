import type { ReferralServiceError } from "../../platform/errors.ts";
import { isSealedShut } from "../../platform/key-troubles.ts";
import { isServiceError, keepCatalogue, listCatalogue } from "../catalogue/refresh-catalogue.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import { openService } from "../referrals/open-service.ts";
import { resumeWork } from "../referrals/resume-work.ts";
import {
  type ApiVersion,
  CONNECTION_UNREADABLE,
  type Environment,
  NOT_ENTITLED,
} from "../shops/connection.ts";

export type TestOutcome =
  | { kind: "ok"; tests: number; bundles: number; apiVersion: ApiVersion }
  /** `code` is the service's own where it says what is wrong, else ours for the kind of failure. */
  | { kind: "failed"; code: string }
  | { kind: "no_connection" };

/**
 * Signs in at the service and lists what can be ordered, which is also kept as the catalogue. A failure is
 * an outcome with the service's own code, for app/clients/referral-service/failures to put into words.
 */
export async function testConnection(
  { tenancy, services, clock }: Pick<Ports, "tenancy" | "services" | "clock">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<TestOutcome> {
  try {
    const service = await openService({ tenancy, services, clock }, { shop, environment });
    if (!service) return { kind: "no_connection" };
    const listed = await listCatalogue(service);
    await tenancy.inShop(shop, async (tenant) => {
      const now = clock.now();
      await keepCatalogue(tenant, environment, listed, now);
      await tenant.connections.recordTest(environment, { outcome: "ok", at: now });
      // Work that waited for a working connection goes on by itself.
      await resumeWork(tenant, environment, { isTested: true });
    });
    const { tests, bundles, apiVersion } = listed;
    const counts = { tests: tests.entries.length, bundles: bundles.entries.length };
    return { kind: "ok", ...counts, apiVersion };
  } catch (error) {
    const code = isSealedShut(error)
      ? CONNECTION_UNREADABLE
      : isServiceError(error) && telling(error);
    if (!code) throw error;
    await tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordTest(environment, { outcome: code, at: clock.now() }),
    );
    return { kind: "failed", code };
  }
}

/** A service that is down may answer with any code; only a refusal's is about the credentials. */
function telling({ failure, serviceCode, status, code }: ReferralServiceError): string {
  const isRefusal = ["unauthorized", "rejected", "not_found"].includes(failure);
  if (isRefusal && serviceCode) return serviceCode;
  return failure === "unauthorized" && status === 403 ? NOT_ENTITLED : code;
}
