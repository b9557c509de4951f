import { TIME_ZONE } from "../../platform/calendar-day.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { OrderImport } from "../orders/order-import.ts";
import type { KeyWork, PrivacyRequest } from "../privacy/privacy.ts";
import type { Ports } from "./ports.ts";

export interface MaintenanceOverview {
  /** The last look for missed orders that a person asked for, or any that is running. */
  orderImport: OrderImport | null;
  /** When orders were last looked for without anybody asking. */
  lastRegular: OrderImport | null;
  privacyRequests: PrivacyRequest[];
  retentionMonths: number | null;
  /** Whether the merchant chose that; it is the default otherwise. */
  isRetentionChosen: boolean;
  keyWork: KeyWork;
  timeZone: string;
}

const PRIVACY_REQUESTS_SHOWN = 20;

/** Reads what Pathway does for a shop beside its orders: missed orders, privacy requests, and what is deleted. */
export async function readMaintenance(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<MaintenanceOverview> {
  return tenancy.inShop(shop, async (tenant) => {
    const running = await tenant.orderImports.running();
    const settings = await tenant.shops.find();
    const latest = running ?? (await tenant.orderImports.latest("staff"));
    return {
      orderImport: latest,
      lastRegular: await tenant.orderImports.latest("schedule"),
      privacyRequests: await tenant.privacy.latest(PRIVACY_REQUESTS_SHOWN),
      retentionMonths: settings?.retentionMonths ?? null,
      isRetentionChosen: settings?.retentionChosenAt != null,
      keyWork: await tenant.privacy.keyWork(),
      timeZone: settings?.timeZone ?? TIME_ZONE,
    };
  });
}
