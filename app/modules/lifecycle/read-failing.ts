import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Connection, Environment } from "../shops/connection.ts";

/** Calls that fail; `elsewhere`: the environment, when new orders go to the other one. */
export type Failing = NonNullable<Connection["failing"]> & { elsewhere: Environment | null };

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
    const failingOf = async (one: Environment) =>
      (await tenant.connections.find(one))?.failing ?? null;
    const here = await failingOf(environment);
    if (here) return { ...here, elsewhere: null };
    const real = environment === "production" ? null : await failingOf("production");
    if (!real || !(await tenant.serviceSync.oldestOpen("production"))) return null;
    return { ...real, elsewhere: "production" };
  });
}
