import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { Connection, Environment } from "../shops/connection.ts";
import { MAX_UNSETTLED_COUNTED } from "./connection-words.ts";

/** Calls that fail; `elsewhere`: the environment, when new orders go to the other one. `waiting`: tests that wait for it. */
export type Failing = NonNullable<Connection["failing"]> & {
  elsewhere: Environment | null;
  waiting: number;
};

/** Counts the tests that wait for a service whose calls fail. None of one that answers waits for long. */
export const countWaiting = async (
  { requests }: Pick<Tenant, "requests">,
  environment: Environment,
  { failing }: Pick<Connection, "failing">,
): Promise<number> => (failing ? requests.countUnsettled(environment, MAX_UNSETTLED_COUNTED) : 0);

/**
 * Reads since when calls to the service fail, where the shop's orders go; else where real tests are under way that were
 * ordered before the shop went back to staging. Null while calls are answered.
 */
export async function readFailing(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<Failing | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const environment = (await tenant.shops.find())?.environment ?? "staging";
    const failingOf = async (one: Environment) => {
      const failing = (await tenant.connections.find(one))?.failing;
      return failing ? { ...failing, waiting: await countWaiting(tenant, one, { failing }) } : null;
    };
    const here = await failingOf(environment);
    if (here) return { ...here, elsewhere: null };
    const real = environment === "production" ? null : await failingOf("production");
    if (!real || !(await tenant.serviceSync.oldestOpen("production"))) return null;
    return { ...real, elsewhere: "production" };
  });
}
