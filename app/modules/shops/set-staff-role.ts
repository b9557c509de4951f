import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "./may-do.ts";
import type { Ports } from "./ports.ts";
import { roleOf, type StaffRole } from "./staff-role.ts";

export type SetStaffRoleOutcome =
  | { kind: "saved"; name: string }
  /** The account's owner stays a manager: somebody has to be able to give roles. */
  | { kind: "is_owner" }
  | { kind: "not_found" }
  | NotAllowed;

/** Gives a member of staff a role. Who gave it, and which it was before, goes into the access log. */
export async function setStaffRole(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor, staff, role }: { shop: ShopDomain; actor: Actor; staff: string; role: StaffRole },
): Promise<SetStaffRoleOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    // Two managers come one after the other: the second finds what the first has left of both their roles.
    await tenant.shops.lockSettings();
    const refused = await refuseUnlessAllowed(tenant, actor, "assign_roles", { at });
    if (refused) return refused;
    const member = await tenant.staff.find(staff);
    if (!member) return { kind: "not_found" };
    if (member.isAccountOwner) return { kind: "is_owner" };
    const before = roleOf(member);
    await tenant.staff.setRole(staff, role);
    if (before !== role)
      await tenant.accessLog.add({
        ...{ at, who: "staff", actor, what: "role_changed" },
        detail: { staff, name: member.name, from: before, to: role },
      });
    return { kind: "saved", name: member.name };
  });
}
