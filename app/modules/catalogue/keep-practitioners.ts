import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { PractitionerUse, RegisteredPractitioner } from "../referrals/practitioner.ts";
import type { Practitioner } from "../referrals/referral-service.ts";
import { retryRefused } from "../referrals/retry-refused.ts";
import { type Conflict, keepOthersChanges } from "../shops/keep-others-changes.ts";
import type { Ports } from "./ports.ts";
import { isProviderNumber } from "./provider-number.ts";
import type { Tenant } from "./tenant.ts";

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
  | { kind: "taken" }
  /** Somebody removed the practitioner since the page was opened. */
  | { kind: "gone" }
  /** Somebody else changed the same since the page was opened. */
  | { kind: "changed_meanwhile"; conflicts: Conflict[] };

/** The fields of a practitioner that can be changed: the number says who it is. */
export type PractitionerChange = Pick<RegisteredPractitioner, "label" | "name" | "address">;

interface PractitionerWish {
  shop: ShopDomain;
  practitioner: Practitioner & { label: string };
  isNew: boolean;
  /** The fields as the page showed them. A field that was left alone keeps the value that it has by now. */
  seen?: PractitionerChange | null;
  actor: Actor;
}

/**
 * Adds a practitioner, or changes the one with this number when `isNew` is false. Orders go out under their name, so that
 * who did it goes into the access log.
 */
export async function savePractitioner(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, practitioner, isNew, seen = null, actor }: PractitionerWish,
): Promise<SavePractitionerOutcome> {
  if (!isProviderNumber(practitioner.providerNumber)) return { kind: "malformed_number" };
  return tenancy.inShop(shop, async (tenant) => {
    const { providerNumber, label, name, address } = practitioner;
    // Two saves come one after the other.
    await tenant.mappings.holdStill();
    const stored = await tenant.practitioners.find(providerNumber);
    if (isNew && stored) return { kind: "taken" };
    let change: PractitionerChange = { label, name, address };
    if (!isNew && seen) {
      if (!stored) return { kind: "gone" };
      const own = { label: stored.label, name: stored.name, address: stored.address };
      const { settings, conflicts } = keepOthersChanges(own, { wished: change, seen });
      if (conflicts.length > 0) return { kind: "changed_meanwhile", conflicts };
      change = settings;
    }
    await tenant.practitioners.save({ providerNumber, ...change });
    const deed = stored ? "changed" : "added";
    const isSame =
      stored?.name === change.name &&
      stored.address === change.address &&
      (stored.label ?? "") === change.label;
    if (!isSame) await record(tenant, { deed, providerNumber, actor, at: clock.now() });
    return { kind: "saved" };
  });
}

export type RemovePractitionerOutcome =
  | { kind: "removed" }
  | { kind: "in_use"; uses: PractitionerUse[] };

/** Removes a practitioner whom no mapping needs. */
export async function removePractitioner(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, providerNumber, actor }: { shop: ShopDomain; providerNumber: string; actor: Actor },
): Promise<RemovePractitionerOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    // A mapping that is just being saved would otherwise lose the practitioner it names.
    await tenant.mappings.holdStill();
    const uses = (await tenant.practitioners.uses()).get(providerNumber) ?? [];
    if (uses.length > 0) return { kind: "in_use", uses };
    const known = await tenant.practitioners.find(providerNumber);
    await tenant.practitioners.remove(providerNumber);
    if (known) await record(tenant, { deed: "removed", providerNumber, actor, at: clock.now() });
    return { kind: "removed" };
  });
}

/** Writes to the access log who changed the registry. */
function record(
  tenant: Pick<Tenant, "accessLog">,
  change: {
    deed: "added" | "changed" | "removed";
    providerNumber: string;
    actor: Actor;
    at: Date;
  },
): Promise<void> {
  const { at, actor, deed, providerNumber } = change;
  const entry = { at, who: "staff", actor, what: "practitioners_changed" } as const;
  return tenant.accessLog.add({ ...entry, detail: { deed, providerNumber } });
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
