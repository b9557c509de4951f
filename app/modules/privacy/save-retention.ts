import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type SaveOutcome, type SettingsGroup, saveSettings } from "../shops/save-settings.ts";
import type { Shop } from "../shops/shop.ts";
import type { Ports } from "./ports.ts";

const RETENTION: SettingsGroup<Pick<Shop, "retentionMonths">> = {
  what: "retention_changed",
  read: ({ retentionMonths }) => ({ retentionMonths }),
};

/** Says for how many months what is held about people is kept after its last change. */
export async function saveRetention(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    months,
    seen,
    actor,
  }: { shop: ShopDomain; months: number; seen?: number | null; actor: Actor },
): Promise<SaveOutcome> {
  return tenancy.inShop(shop, (tenant) => {
    const at = clock.now();
    const before = seen == null ? null : { retentionMonths: seen };
    const wish = { wished: { retentionMonths: months }, seen: before, actor, at };
    return saveSettings(tenant, RETENTION, wish, async ({ retentionMonths }) => {
      await tenant.shops.setRetention(retentionMonths, at);
      await tenant.jobs.enqueue({ name: "maintain-shop", shop });
    });
  });
}
