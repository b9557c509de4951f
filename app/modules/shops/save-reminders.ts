import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "./may-do.ts";
import type { Ports } from "./ports.ts";
import { settingChanges } from "./setting-changes.ts";
import type { ReminderPolicy } from "./shop.ts";

/** Stores when missing details are asked for again. A chain under way follows the new days from its next step on. */
export async function saveReminders(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, reminders, actor }: { shop: ShopDomain; reminders: ReminderPolicy; actor: Actor },
): Promise<{ kind: "saved" } | NotAllowed> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_policies", { at });
    if (refused) return refused;
    const before = await tenant.shops.find();
    await tenant.shops.updateSettings(reminders);
    const detail = settingChanges(before && { ...before }, { ...reminders });
    const deed = { at, who: "staff", actor, what: "reminders_changed" } as const;
    if (detail) await tenant.accessLog.add({ ...deed, detail });
    return { kind: "saved" };
  });
}
