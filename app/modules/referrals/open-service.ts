import { isSealedShut } from "../../platform/key-troubles.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { CONNECTION_UNREADABLE, type Environment } from "../shops/connection.ts";
import type { Ports } from "./ports.ts";
import type { ReferralService } from "./referral-service.ts";

/**
 * Returns the service of a connection, null when there is none. Credentials that can't be opened are noted on the connection as calls that fail,
 * so that the merchant is told as of an outage; the failure itself is thrown, for the operator's log.
 */
export async function openService(
  { tenancy, services, clock }: Pick<Ports, "tenancy" | "services" | "clock">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<ReferralService | null> {
  try {
    return await services.forConnection(shop, environment);
  } catch (error) {
    if (!isSealedShut(error)) throw error;
    const calls = { answeredAt: null, failureCode: CONNECTION_UNREADABLE };
    await tenancy.inShop(shop, ({ connections }) =>
      connections.recordCalls(environment, { ...calls, failingSince: clock.now() }),
    );
    throw error;
  }
}
