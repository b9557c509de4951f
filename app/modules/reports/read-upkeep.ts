import type { ShopDomain } from "../kernel/ids.ts";
import type { CatchUp } from "../orders/catch-up.ts";
import type { PrivacyDuty } from "../privacy/privacy.ts";
import type { Ports } from "./ports.ts";

export interface UpkeepOverview {
  /** The last look for missed orders that a person asked for, or any that is running. */
  catchUp: CatchUp | null;
  /** When orders were last looked for without anybody asking. */
  lastRegular: CatchUp | null;
  duties: PrivacyDuty[];
  retentionMonths: number | null;
}

const DUTIES_SHOWN = 20;

/** What Pathway does for a shop beside its orders: missed orders, privacy requests, what is forgotten. */
export async function readUpkeep(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<UpkeepOverview> {
  return tenancy.inShop(shop, async (tenant) => {
    const running = await tenant.catchUps.running();
    const latest = running ?? (await tenant.catchUps.latest("staff"));
    return {
      catchUp: latest,
      lastRegular: await tenant.catchUps.latest("schedule"),
      duties: await tenant.privacy.latest(DUTIES_SHOWN),
      retentionMonths: (await tenant.shops.find())?.retentionMonths ?? null,
    };
  });
}
