import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import { type SaveOutcome, type SettingsGroup, saveSettings } from "./save-settings.ts";
import type { NoticeDetails } from "./shop.ts";

const NOTICE: SettingsGroup<NoticeDetails> = {
  what: "policies_changed",
  read: ({ notice }) => notice,
  // The answers name people: wrapped, the log tells only that they changed.
  logged: (notice) =>
    Object.fromEntries(Object.entries(notice).map(([name, answer]) => [name, { answer }])),
};

/**
 * Stores what the collection notice says from now on, answer by answer (see saveSettings). Consents that were given keep
 * the words that were shown.
 */
export async function saveNotice(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    notice,
    seen,
    actor,
  }: { shop: ShopDomain; notice: NoticeDetails; seen?: NoticeDetails | null; actor: Actor },
): Promise<SaveOutcome> {
  return tenancy.inShop(shop, (tenant) => {
    const wish = { wished: notice, seen, actor, at: clock.now() };
    return saveSettings(tenant, NOTICE, wish, (kept) =>
      tenant.shops.updateSettings({ notice: kept }),
    );
  });
}
