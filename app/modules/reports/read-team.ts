import type { AccessEntry } from "../kernel/access-log.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { StaffMember } from "../shops/staff-role.ts";
import type { Ports } from "./ports.ts";

export interface TeamOverview {
  members: StaffMember[];
  /** Whoever looks; null for somebody whom Shopify told nothing about. */
  own: StaffMember | null;
  /** Changes of settings, and refusals, newest first. */
  changes: AccessEntry[];
}

const MAX_MEMBERS = 250;
const MAX_CHANGES = 50;

/** Reads who works with the app in a shop, and what they changed lately. */
export async function readTeam(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
): Promise<TeamOverview> {
  return tenancy.inShop(shop, async (tenant) => ({
    members: await tenant.staff.list(MAX_MEMBERS),
    own: await tenant.staff.find(actor),
    changes: await tenant.accessLog.ofShop(MAX_CHANGES),
  }));
}
