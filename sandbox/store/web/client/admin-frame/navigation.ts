import type { NavLink } from "../bridge-protocol.ts";
import { find, make } from "./dom.ts";

/** Path of the app's page without the parameters that the admin adds itself. */
export function cleanPath(href: string): string {
  const url = new URL(href);
  for (const name of [
    "shop",
    "host",
    "embedded",
    "id_token",
    "session",
    "locale",
    "timestamp",
    "hmac",
  ]) {
    url.searchParams.delete(name);
  }
  return url.pathname + url.search + url.hash;
}

/** Draws the app's own links under its name in the side navigation. */
export function drawAppNavigation(
  links: NavLink[],
  options: {
    adminAppPath: string;
    currentPath: string;
    onNavigate: (link: NavLink) => void;
  },
): void {
  const current = new URL(options.currentPath, location.href).pathname;
  const visible = links.filter((link) => !link.home);
  // The deepest link that leads to where we are is the current one.
  const best = visible
    .map((link) => new URL(link.href).pathname)
    .filter((path) => current === path || current.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)[0];
  find("#app-nav").replaceChildren(
    ...visible.map((link) => {
      const isCurrent = new URL(link.href).pathname === best;
      const anchor = make(
        "a",
        {
          href: options.adminAppPath + cleanPath(link.href),
          "aria-current": isCurrent ? "page" : false,
          click: (event) => {
            if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            options.onNavigate(link);
          },
        },
        link.label,
      );
      return make("li", {}, anchor);
    }),
  );
}
