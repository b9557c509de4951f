import type { Platform } from "../platform.ts";
import type { ShopDocument } from "../state/shop.ts";
import type { Table } from "../state/tables.ts";

/**
 * Gives a shop another `.myshopify.com` domain: with its products, people, orders, tokens and the app, and with all their ids. Nothing
 * answers under the former one. Nothing says how Shopify answers then.
 */
export function renameShop({ data }: Platform, shop: ShopDocument, to: string): ShopDocument {
  const follow = <T extends { id: string | number; shop: string }>(table: Table<T>) => {
    for (const one of table.all()) if (one.shop === shop.id) table.put({ ...one, shop: to });
  };
  follow(data.products);
  follow(data.customers);
  follow(data.orders);
  follow(data.metafields);
  follow(data.tokens);
  const install = data.installs.get(shop.id);
  if (install) {
    data.installs.delete(shop.id);
    data.installs.put({ ...install, id: to });
  }
  data.shops.delete(shop.id);
  return data.shops.put({ ...shop, id: to });
}
