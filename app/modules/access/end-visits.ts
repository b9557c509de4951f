import { logAccess } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import { isOwner, requestsOf, type ViewerScope } from "./viewer.ts";

/**
 * Ends every visit that a mailed link for what this customer or patient holds let in, on all devices, this one included.
 * Returns how many ended.
 */
export async function endVisits(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer }: ViewerScope,
): Promise<number> {
  return tenancy.inShop(shop, async (tenant) => {
    const held = (await requestsOf(tenant, viewer)).filter((one) => isOwner(one, viewer));
    const at = clock.now();
    for (const { id: requestId } of held)
      await logAccess(tenant, viewer, { what: "visits_ended", requestId, at });
    return tenant.links.endSessionsOf(held.map(({ id }) => id));
  });
}
