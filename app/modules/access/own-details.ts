import type { Patient } from "../patients/patient.ts";
import { findOwned } from "./find-owned.ts";
import { logAccess } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import type { ViewerScope } from "./viewer.ts";

/** The details that an owner gave, to be corrected. */
export type OwnDetails = Patient & { medicareCardNumber?: string; dvaNumber?: string };

/** The details of one request, for its owner alone. Null for everybody else and while there are none. Throws as `findOwned`. */
export async function ownDetails(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer, requestId }: ViewerScope & { requestId: string },
): Promise<OwnDetails | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await findOwned(tenant, { viewer, requestId, opening: "details" });
    if (!request || request.state === "cancelled") return null;
    const given = await tenant.requests.patientOf(requestId);
    if (!given) return null;
    await logAccess(tenant, viewer, { what: "details_viewed", requestId, at: clock.now() });
    // A correction that is still on its way is what the owner gave last.
    const latest = await tenant.corrections.pending(requestId);
    const { medicareCardNumber, dvaNumber } = given.medicare ?? {};
    return {
      ...(latest?.patient ?? given.patient),
      ...(medicareCardNumber ? { medicareCardNumber } : {}),
      ...(dvaNumber ? { dvaNumber } : {}),
    };
  });
}
