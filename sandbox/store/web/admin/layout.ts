import { adminAppBase, adminBase } from "../context.ts";
import { type Html, html } from "../html.ts";
import { htmlDocument, skipLink } from "../pages/document.ts";
import { sandboxStrip } from "../pages/sandbox-strip.ts";
import type { StoreFacts } from "../ports.ts";

export type AdminPlace = "home" | "orders" | "products" | "app" | "settings";

export interface AdminPage {
  facts: StoreFacts;
  place: AdminPlace;
  title: string;
  content: Html;
  /** The app's page fills the window; the others keep a readable width. */
  fullWidth?: boolean;
  scripts?: readonly string[];
  styles?: readonly string[];
}

/** The admin's shell: top bar, navigation, content. */
export function adminPage(page: AdminPage): Html {
  const { facts, place } = page;
  const base = adminBase(facts);
  const link = (target: AdminPlace, path: string, label: string) =>
    html`<a href="${path}"${target === place && html` aria-current="page"`}>${label}</a>`;
  const navigation = html`<ul>
      <li>${link("home", base, "Home")}</li>
      <li>${link("orders", `${base}/orders`, "Orders")}</li>
      <li>${link("products", `${base}/products`, "Products")}</li>
    </ul>
    <h2>Apps</h2>
    <ul>
      <li>
        ${link("app", adminAppBase(facts), facts.app.name)}
        ${place === "app" && html`<ul id="app-nav" aria-label="${facts.app.name}"></ul>`}
      </li>
    </ul>
    <ul class="last"><li>${link("settings", `${base}/settings`, "Settings")}</li></ul>`;
  return htmlDocument({
    title: `${page.title} · ${facts.shopName}`,
    styles: ["admin", ...(page.styles ?? [])],
    theme: page.fullWidth ? "admin full" : "admin",
    scripts: page.scripts,
    body: html`${skipLink}
      ${sandboxStrip("admin")}
      <header class="topbar">
        <button type="button" class="nav-button" popovertarget="admin-nav">Menu</button>
        <a class="brand" href="${base}">${facts.shopName}</a>
        <span class="staff">Sam Staff</span>
        <div id="save-bar" class="save-bar" role="region" aria-label="Unsaved changes" hidden>
          <span>Unsaved changes</span>
          <button type="button" class="button" id="save-bar-discard">Discard</button>
          <button type="button" class="button primary" id="save-bar-save">Save</button>
        </div>
      </header>
      <div class="shell">
        <nav id="admin-nav" class="sidenav" aria-label="Admin" popover>${navigation}</nav>
        <main id="content" tabindex="-1">${page.content}</main>
      </div>
      <div id="toasts" class="toasts" role="status" aria-live="polite"></div>`,
  });
}
