import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import { type SaveOutcome, type SettingsGroup, saveSettings } from "./save-settings.ts";
import type { ReminderPolicy } from "./shop.ts";

const REMINDERS: SettingsGroup<ReminderPolicy> = {
  what: "reminders_changed",
  read: ({ reminderDays, detailsEndDays }) => ({ reminderDays, detailsEndDays }),
};

/** Stores when missing details are asked for again. A chain under way follows the new days from its next step on. */
export async function saveReminders(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    reminders,
    seen,
    actor,
  }: { shop: ShopDomain; reminders: ReminderPolicy; seen?: ReminderPolicy | null; actor: Actor },
): Promise<SaveOutcome> {
  return tenancy.inShop(shop, (tenant) => {
    const wish = { wished: reminders, seen, actor, at: clock.now() };
    return saveSettings(tenant, REMINDERS, wish, (kept) => tenant.shops.updateSettings(kept));
  });
}
