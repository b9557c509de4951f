import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { settingChanges } from "../shops/setting-changes.ts";
import type { Ports } from "./ports.ts";

/** Says for how many months what is held about people is kept after its last change. */
export async function saveRetention(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, months, actor }: { shop: ShopDomain; months: number; actor: Actor },
): Promise<{ kind: "saved" } | NotAllowed> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_policies", { at });
    if (refused) return refused;
    const before = await tenant.shops.find();
    await tenant.shops.setRetention(months, at);
    const detail = settingChanges(before && { ...before }, { retentionMonths: months });
    const deed = { at, who: "staff", actor, what: "retention_changed" } as const;
    if (detail) await tenant.accessLog.add({ ...deed, detail });
    await tenant.jobs.enqueue({ name: "maintain-shop", shop });
    return { kind: "saved" };
  });
}
