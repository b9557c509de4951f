import type { WebContext } from "../context.ts";
import { discoverExtensions } from "../extensions/discover.ts";
import { type Html, html } from "../html.ts";
import { htmlDocument, skipLink } from "../pages/document.ts";
import { sandboxStrip } from "../pages/sandbox-strip.ts";
import type { StoreCustomer } from "../ports.ts";
import { themeHeader } from "../storefront/layout.ts";

export interface AccountPage {
  title: string;
  content: Html;
  customer: StoreCustomer | null;
  /** Path of the navigation's current entry. */
  current?: string;
  hosts?: boolean;
}

/**
 * The frame of the account pages. Legacy accounts are pages of the theme: they hold no extensions, and the app appears as
 * a link to its proxy page.
 */
export async function accountPage(web: WebContext, page: AccountPage): Promise<Html> {
  const { facts, ports } = web;
  const link = (path: string, label: string) =>
    html`<li><a href="${path}"${path === page.current && html` aria-current="page"`}>${label}</a></li>`;
  const proxy = facts.app.proxy;
  const legacy = (await ports.customerAccounts()) === "legacy";
  const { ui } = await discoverExtensions(web.extensionsDir);
  const appPages = legacy
    ? proxy && link(`/${proxy.prefix}/${proxy.subpath}`, facts.app.name)
    : ui
        .filter(({ target }) => target === "customer-account.page.render")
        .map((extension) => link(`/account/pages/${extension.handle}`, extension.name));
  return htmlDocument({
    title: `${page.title} · ${facts.shopName}`,
    styles: legacy ? ["storefront", "account"] : ["account", "extension"],
    theme: legacy ? "storefront account" : "account",
    scripts: page.hosts ? ["/web-assets/js/extension-host.js"] : [],
    body: html`${skipLink}
      ${sandboxStrip("account")}
      ${legacy && themeHeader(facts)}
      <header class="account-header">
        ${!legacy && html`<a class="brand" href="/">${facts.shopName}</a>`}
        <nav aria-label="Account">
          <ul>
            ${!legacy && link("/", "Shop")}
            ${page.customer && [link("/account/orders", "Orders"), appPages, link("/account/profile", "Profile")]}
          </ul>
        </nav>
        ${
          page.customer
            ? html`<form method="post" action="/account/logout"><button class="plain-button">Sign out</button></form>`
            : html`<a class="sign-in" href="/account/login">Sign in</a>`
        }
      </header>
      <main id="content" tabindex="-1">${page.content}</main>
      <div id="toasts" class="toasts" role="status" aria-live="polite"></div>`,
  });
}
