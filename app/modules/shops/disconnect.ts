import type { ShopDomain } from "../kernel/ids.ts";
import type { Environment } from "./connection.ts";
import type { Ports } from "./ports.ts";

export type DisconnectOutcome =
  | { kind: "disconnected" }
  /** New orders go there: another environment has to be chosen first. */
  | { kind: "in_use" };

/**
 * Removes a connection with its credentials and its webhook address. Mappings, requests and documents stay.
 * Production in use is refused; staging is where orders go until there is anything else, so it may be removed.
 */
export async function disconnect(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<DisconnectOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    if (environment === "production" && settings?.environment === "production")
      return { kind: "in_use" };
    await tenant.connections.remove(environment);
    return { kind: "disconnected" };
  });
}
