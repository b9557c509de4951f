import type { ShopDomain } from "../kernel/ids.ts";
import type { ToldOutage } from "../orders/order-status-publisher.ts";
import type { Ports } from "../privacy/ports.ts";

/**
 * Starts the merchant's workflows of an outage, or of its end, while the merchant has workflows started at all. They may be
 * started again when the process dies between Shopify's yes and the job's end.
 */
export async function startOutageFlow(
  { tenancy, orderStatusPublisher }: Pick<Ports, "tenancy" | "orderStatusPublisher">,
  { shop, ...told }: { shop: ShopDomain } & ToldOutage,
): Promise<"told" | "not_wanted"> {
  const settings = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (!settings?.installed || !settings.startFlows) return "not_wanted";
  await orderStatusPublisher.startOutageFlow(shop, told);
  return "told";
}
