import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { type Connection, type Environment, TAKES_NO_ORDERS } from "../shops/connection.ts";
import { MAX_UNSETTLED_COUNTED } from "./connection-words.ts";

/** Calls that fail, or orders alone. `waiting`: tests that wait for the service. */
export type FailingCalls = NonNullable<Connection["failing"]> & { waiting: number };
/** `elsewhere`: the environment, when new orders go to the other one. */
export type Failing = FailingCalls & { elsewhere: Environment | null };

/**
 * Reads since when calls to a connection's service fail, and how many tests wait for it. Else since when it takes no orders, while one
 * waits: where the last one that it did not take was cancelled, nobody knows whether it would take another.
 */
export async function readFailingCalls(
  { requests }: Pick<Tenant, "requests">,
  { environment, failing, ordersFailingSince: since }: Connection,
): Promise<FailingCalls | null> {
  const calls = failing ?? (since && { since, code: TAKES_NO_ORDERS });
  if (!calls) return null;
  const waiting = await requests.countUnsettled(environment, MAX_UNSETTLED_COUNTED);
  return failing || waiting > 0 ? { ...calls, waiting } : null;
}

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
      const connection = await tenant.connections.find(one);
      return connection && readFailingCalls(tenant, connection);
    };
    const here = await failingOf(environment);
    if (here) return { ...here, elsewhere: null };
    const real = environment === "production" ? null : await failingOf("production");
    if (!real || !(await tenant.serviceSync.oldestOpen("production"))) return null;
    return { ...real, elsewhere: "production" };
  });
}
