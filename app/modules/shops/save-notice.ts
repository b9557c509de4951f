import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "./may-do.ts";
import type { Ports } from "./ports.ts";
import { settingChanges } from "./setting-changes.ts";
import type { NoticeDetails } from "./shop.ts";

/** Stores what the collection notice says from now on. Consents that were given keep the words that were shown. */
export async function saveNotice(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, notice, actor }: { shop: ShopDomain; notice: NoticeDetails; actor: Actor },
): Promise<{ kind: "saved" } | NotAllowed> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_policies", { at });
    if (refused) return refused;
    const before = await tenant.shops.find();
    await tenant.shops.updateSettings({ notice });
    const detail = settingChanges(before && { ...before }, { notice });
    const deed = { at, who: "staff", actor, what: "policies_changed" } as const;
    if (detail) await tenant.accessLog.add({ ...deed, detail });
    return { kind: "saved" };
  });
}
