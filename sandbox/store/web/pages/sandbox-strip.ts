import { type Html, html } from "../html.ts";

export type SandboxPlace = "start" | "storefront" | "account" | "admin" | "inbox" | "webhooks";

const PLACES: { place: SandboxPlace; label: string; path: string }[] = [
  { place: "start", label: "Sandbox", path: "/sandbox" },
  { place: "storefront", label: "Storefront", path: "/" },
  { place: "account", label: "Customer account", path: "/account" },
  { place: "admin", label: "Admin", path: "/admin-ui" },
  { place: "inbox", label: "Inbox", path: "/sandbox/mail" },
  { place: "webhooks", label: "Webhooks", path: "/sandbox/webhooks" },
];

/** The dark strip on top of every page: it says that this is no real store, and leads to its other parts. */
export function sandboxStrip(current: SandboxPlace): Html {
  return html`<nav class="sandbox-strip" aria-label="Sandbox">
    <ul>
      ${PLACES.map(
        ({ place, label, path }) =>
          html`<li><a href="${path}"${place === current && html` aria-current="true"`}>${label}</a></li>`,
      )}
    </ul>
  </nav>`;
}
