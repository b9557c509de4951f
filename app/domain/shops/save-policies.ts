import type { ShopDomain } from "../ids.ts";
import { publishAllIn } from "../mappings/details/publish-details.ts";
import type { Ports } from "../ports.ts";
import type { ShopSettings } from "./shop.ts";

export type SavePoliciesOutcome =
  | { kind: "saved" }
  /** Orders cannot go to an environment that is not connected. */
  | { kind: "not_connected" };

/** Stores how the shop wants its orders handled. Applies to what happens from now on. */
export async function savePolicies(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, policies }: { shop: ShopDomain; policies: ShopSettings },
): Promise<SavePoliciesOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const before = await tenant.shops.find();
    const switches = before?.environment !== policies.environment;
    if (switches && !(await tenant.connections.find(policies.environment)))
      return { kind: "not_connected" };
    await tenant.shops.updateSettings(policies);
    if (switches) await publishAllIn(tenant);
    return { kind: "saved" };
  });
}
