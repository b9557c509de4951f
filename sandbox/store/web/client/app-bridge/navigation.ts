import type { Connection } from "./connection.ts";

const ADMIN_SCHEME = /^shopify:\/*admin/i;
const ADMIN_HOST = /^https:\/\/admin\.shopify\.com\/store\/[^/]+/i;

/** Path inside the admin (`/orders/1`) that an address means; null when it means something else. */
function adminPath(address: string): string | null {
  for (const prefix of [ADMIN_SCHEME, ADMIN_HOST]) {
    if (prefix.test(address)) return address.replace(prefix, "") || "/";
  }
  return null;
}

/** Leaves the app for a place in the admin, another site or a new window. */
export function leaveTo(connection: Connection, address: string, target: string): void {
  const path = adminPath(address);
  const newWindow = target !== "_top" && target !== "_parent" && target !== "_self";
  if (connection.embedded) connection.tell("open", { url: path ?? address, newWindow });
  else if (path)
    location.assign(connection.config.adminOrigin + connection.config.adminBasePath + path);
  else location.assign(address);
}

/** Outside the admin, a page that Shopify's parameters name a shop for goes back into the admin. */
export function redirectIntoAdmin(connection: Connection): boolean {
  const { searchParams, pathname } = new URL(location.href);
  if (connection.embedded || !searchParams.has("shop") || !searchParams.has("host")) return false;
  location.replace(connection.config.adminOrigin + connection.config.adminAppPath + pathname);
  return true;
}

let navigateListeners = 0;

function reportLocation(connection: Connection): void {
  connection.tell("location", { href: location.href, title: document.title });
}

/** Keeps the admin's address in step with the app's history; per document. */
export function watchHistory(connection: Connection): void {
  addEventListener("popstate", () => reportLocation(connection));
  addEventListener("hashchange", () => reportLocation(connection));
}

/** Once per window: hears of the router's steps, and lets the admin's navigation drive the router. */
export function patchHistory(connection: Connection): void {
  for (const name of ["pushState", "replaceState"] as const) {
    const original = history[name].bind(history);
    history[name] = (data, unused, url) => {
      original(data, unused, url);
      reportLocation(connection);
    };
  }
  countNavigateListeners();
  connection.on("navigate", ({ href, linkId }) => {
    const link = linkId === null ? null : document.querySelector(`[data-sandbox-id="${linkId}"]`);
    const source = link ?? temporaryLink(href);
    const event = new CustomEvent("shopify:navigate", { bubbles: true, cancelable: true });
    const unhandled = source.dispatchEvent(event) && navigateListeners === 0;
    if (!link) source.remove();
    if (unhandled) location.assign(href);
  });
}

/** Shopify's listeners need no link in the page, only one that can be asked for its `href`. */
function temporaryLink(href: string): HTMLAnchorElement {
  const link = document.createElement("a");
  const { pathname, search, hash } = new URL(href, location.href);
  link.setAttribute("href", pathname + search + hash);
  link.hidden = true;
  document.body.append(link);
  return link;
}

/** An app without a listener for `shopify:navigate` gets an ordinary page load, so we must know of listeners. */
function countNavigateListeners(): void {
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    const remove = target.removeEventListener.bind(target);
    target.addEventListener = (type: string, ...rest: [EventListener]) => {
      if (type === "shopify:navigate") navigateListeners += 1;
      add(type, ...rest);
    };
    target.removeEventListener = (type: string, ...rest: [EventListener]) => {
      if (type === "shopify:navigate") navigateListeners -= 1;
      remove(type, ...rest);
    };
  }
}

/** Once per window: `open("shopify://admin/…")`, and anything that is to replace the whole admin. */
export function patchOpen(connection: Connection): void {
  const originalOpen = window.open.bind(window);
  window.open = (url, target, features) => {
    const address = new URL(String(url ?? ""), location.href).href;
    const leaves = adminPath(String(url)) !== null || target === "_top" || target === "_parent";
    if (!leaves) return originalOpen(url, target, features);
    leaveTo(
      connection,
      adminPath(String(url)) === null ? address : String(url),
      target ?? "_blank",
    );
    return null;
  };
}

/** Links to `shopify://admin/…`; per document. */
export function watchAdminLinks(connection: Connection): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    const href = link?.getAttribute("href");
    if (!link || !href || adminPath(href) === null) return;
    event.preventDefault();
    const newWindow = event.ctrlKey || event.metaKey || link.target === "_blank";
    leaveTo(connection, href, newWindow ? "_blank" : "_top");
  });
}
