import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { PractitionerUse, RegisteredPractitioner } from "../referrals/practitioner.ts";
import type { Practitioner } from "../referrals/referral-service.ts";
import { retryRefused } from "../referrals/retry-refused.ts";
import type { Ports } from "./ports.ts";
import { isProviderNumber } from "./provider-number.ts";

export interface PractitionerEntry extends RegisteredPractitioner {
  uses: PractitionerUse[];
}

/** The registry, with the mappings that order under each practitioner. */
export async function readPractitioners(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<PractitionerEntry[]> {
  return tenancy.inShop(shop, async (tenant) => {
    const uses = await tenant.practitioners.uses();
    const all = await tenant.practitioners.all();
    return all.map((one) => ({ ...one, uses: uses.get(one.providerNumber) ?? [] }));
  });
}

export type SavePractitionerOutcome =
  | { kind: "saved" }
  | { kind: "malformed_number" }
  /** Another practitioner has the number already. */
  | { kind: "taken" };

/** Adds a practitioner, or changes the one with this number when `isNew` is false. */
export async function savePractitioner(
  { tenancy }: Pick<Ports, "tenancy">,
  {
    shop,
    practitioner,
    isNew,
  }: { shop: ShopDomain; practitioner: Practitioner & { label: string }; isNew: boolean },
): Promise<SavePractitionerOutcome> {
  if (!isProviderNumber(practitioner.providerNumber)) return { kind: "malformed_number" };
  return tenancy.inShop(shop, async (tenant) => {
    if (isNew && (await tenant.practitioners.find(practitioner.providerNumber)))
      return { kind: "taken" };
    await tenant.practitioners.save(practitioner);
    return { kind: "saved" };
  });
}

export type RemovePractitionerOutcome =
  | { kind: "removed" }
  | { kind: "in_use"; uses: PractitionerUse[] };

/** Removes a practitioner whom no mapping needs. */
export async function removePractitioner(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, providerNumber }: { shop: ShopDomain; providerNumber: string },
): Promise<RemovePractitionerOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    // A mapping that is just being saved would otherwise lose the practitioner it names.
    await tenant.mappings.holdStill();
    const uses = (await tenant.practitioners.uses()).get(providerNumber) ?? [];
    if (uses.length > 0) return { kind: "in_use", uses };
    await tenant.practitioners.remove(providerNumber);
    return { kind: "removed" };
  });
}

/**
 * Says that the service's complaint about a number was dealt with. What was refused because of it is sent again;
 * answers how much that is.
 */
export async function clearPractitionerFault(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, providerNumber, actor }: { shop: ShopDomain; providerNumber: string; actor: Actor },
): Promise<number> {
  const at = clock.now();
  return tenancy.inShop(shop, async (tenant) => {
    await tenant.practitioners.recordVerdict(providerNumber, null, at);
    return retryRefused(tenant, { actor, at });
  });
}
