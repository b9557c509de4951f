import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import { hasRight, roleOf, STAFF_RIGHTS, type StaffRight } from "./staff-role.ts";
import type { Tenant } from "./tenant.ts";

/** The answer of a use case to somebody whose role does not let them do it. Nothing was done. */
export interface NotAllowed {
  kind: "not_allowed";
  right: StaffRight;
}

/**
 * Whether an actor may do something: null when they may. A refusal is written to the access log, so a use case that gets
 * one returns it and lets its transaction commit. Pathway itself, and a service, are bound by no role.
 */
export async function refuseUnlessAllowed(
  tenant: Pick<Tenant, "staff" | "accessLog">,
  actor: Actor,
  right: StaffRight,
  { at, requestId }: { at: Date; requestId?: string },
): Promise<NotAllowed | null> {
  if (!actor.startsWith("staff:")) return null;
  const role = roleOf(await tenant.staff.find(actor));
  if (hasRight(role, right)) return null;
  const entry = {
    at,
    who: "staff",
    actor,
    what: "staff_refused",
    detail: { right, role },
  } as const;
  await tenant.accessLog.add({ ...entry, requestId: requestId ?? null });
  return { kind: "not_allowed", right };
}

/**
 * Lists what a member of staff may do, so that a page offers nothing else. The use case asks again: a role can be taken away
 * while the page is open.
 */
export async function readRights(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
): Promise<StaffRight[]> {
  const member = await tenancy.inShop(shop, (tenant) => tenant.staff.find(actor));
  return STAFF_RIGHTS.filter((right) => hasRight(roleOf(member), right));
}
