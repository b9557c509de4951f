import type { NavLink } from "../bridge-protocol.ts";
import { idOf, watch } from "./buttons.ts";
import type { Connection } from "./connection.ts";

function readLinks(menu: Element): NavLink[] {
  return [...menu.querySelectorAll("a[href], s-link[href]")].map((link) => ({
    id: idOf(link),
    label: link.textContent?.trim() ?? "",
    href: new URL(link.getAttribute("href") ?? "/", location.href).href,
    home: link.getAttribute("rel") === "home",
  }));
}

/** `<ui-nav-menu>` and `<s-app-nav>`: their links appear in the frame's navigation under the app's name. */
export function defineNavMenu(connection: Connection): void {
  for (const tag of ["ui-nav-menu", "s-app-nav"]) {
    customElements.define(
      tag,
      class extends HTMLElement {
        #observer: MutationObserver | null = null;

        connectedCallback(): void {
          const report = () => connection.tell("navMenu", readLinks(this));
          this.#observer = watch(this, report);
          queueMicrotask(report);
        }

        disconnectedCallback(): void {
          this.#observer?.disconnect();
        }
      },
    );
  }
}
