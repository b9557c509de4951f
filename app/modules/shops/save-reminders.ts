import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import type { ReminderPolicy } from "./shop.ts";

/** Stores when missing details are asked for again. A chain under way follows the new days from its next step on. */
export async function saveReminders(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, reminders }: { shop: ShopDomain; reminders: ReminderPolicy },
): Promise<void> {
  await tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings(reminders));
}
