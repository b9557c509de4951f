import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import type { Shop } from "./shop.ts";

/** How a customer or patient reaches the shop, and whose clock it goes by. It stands on every page and in every email. */
export interface CustomerHelp {
  shopName: string;
  email: string | null;
  phone: string | null;
  /** In the shop's own words, such as "Mon to Fri, 9 to 5". */
  hours: string | null;
  /** In which these hours, and all dates and times, are told. */
  timeZone: string;
}

/** The name is the domain's until the first order told another; the email is Shopify's contact address unless one is set. */
export function helpOf(
  shop: Pick<Shop, "shop" | "name" | "contactEmail" | "help" | "timeZone">,
): CustomerHelp {
  const { email, phone, hours } = shop.help;
  return {
    shopName: shop.name ?? shop.shop.replace(".myshopify.com", ""),
    email: email ?? shop.contactEmail,
    phone,
    hours,
    timeZone: shop.timeZone,
  };
}

/** Returns the help of a shop that has or had the app, since patients still wait when a shop has left; null for others. */
export async function customerHelp(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<CustomerHelp | null> {
  const known = await tenancy.inKnownShop(shop, (tenant) => tenant.shops.find());
  return known && helpOf(known);
}
