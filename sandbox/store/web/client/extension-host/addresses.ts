import { readExtensionAddress } from "../extension-contract.ts";

/** Where Shopify's own schemes lead on this page; the server writes it into the page. */
export interface Places {
  /** Paths of the app's full-page extensions, by handle. */
  pages: Record<string, string>;
  /** Handle of the extension that runs here. */
  handle: string;
  accountPath: string;
  adminPath: string;
  adminAppPath: string;
  appPublicOrigin: string | null;
  appOrigin: string | null;
}

/** The address in this sandbox that an address of an extension means; null when nothing here answers to it. */
export function resolveAddress(address: string, places: Places): string | null {
  const inside = readExtensionAddress(address);
  if (inside) {
    const own = inside.handle ?? places.handle;
    // An extension without a page of its own means the app's.
    const page = places.pages[own] ?? (inside.handle ? null : Object.values(places.pages)[0]);
    return page ? page + (inside.path === "/" ? "" : inside.path) : null;
  }
  const account = /^shopify:(?:\/\/)?customer-account\/?(.*)$/s.exec(address);
  if (account) return accountPlace(account[1] ?? "", places);
  // Where Shopify keeps the accounts of all shops.
  const kept = /^https:\/\/shopify\.com\/\d+\/account\/?(.*)$/s.exec(address);
  if (kept) return accountPlace(kept[1] ?? "", places);
  const admin = /^shopify:(?:\/\/)?admin\/?(.*)$/s.exec(address);
  if (admin) return `${places.adminPath}/${admin[1] ?? ""}`;
  const app = /^app:\/*(.*)$/s.exec(address);
  if (app) return `${places.adminAppPath}/${app[1] ?? ""}`;
  if (!URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  if (url.origin === places.appPublicOrigin && places.appOrigin) {
    return url.href.replace(url.origin, places.appOrigin);
  }
  return /^(https?|mailto|tel):$/.test(url.protocol) ? url.href : null;
}

/** `orders/gid://…` and `orders/1001` are the same order here. */
function accountPlace(path: string, { accountPath }: Places): string {
  const order = /^orders\/(?:gid:\/\/shopify\/Order\/)?(\d+)/.exec(path);
  return order ? `${accountPath}/orders/${order[1]}` : `${accountPath}/${path || "orders"}`;
}
