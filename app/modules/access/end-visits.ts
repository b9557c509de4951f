import { logAccess } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import { isBuyer, isOwner, requestsOf, type ViewerScope } from "./viewer.ts";

/**
 * Ends every visit that a mailed link to this customer or patient let in, on all devices, this one included. A buyer's link
 * may have been mailed for a test that is a patient's by now; the patient's own visits go on. Returns how many ended.
 */
export async function endVisits(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer }: ViewerScope,
): Promise<number> {
  return tenancy.inShop(shop, async (tenant) => {
    const concerned = await requestsOf(tenant, viewer);
    const held = concerned.filter((one) => isOwner(one, viewer));
    const at = clock.now();
    for (const { id: requestId } of held)
      await logAccess(tenant, viewer, { what: "visits_ended", requestId, at });
    const isPatient = viewer.kind === "patient";
    const reached = isPatient ? held : concerned.filter((one) => isBuyer(one, viewer));
    const kind = isPatient ? "handover" : "guest";
    return tenant.links.endSessionsOf(
      reached.map(({ id }) => id),
      kind,
    );
  });
}
