import type { Request } from "express";
import type { WebContext } from "../context.ts";
import { type Html, html } from "../html.ts";
import { htmlDocument, skipLink } from "../pages/document.ts";
import { sandboxStrip } from "../pages/sandbox-strip.ts";
import type { StoreFacts } from "../ports.ts";
import { cartCount, readCart } from "./cart.ts";

/** The theme's header; `count` is what lies in the cart. */
export const themeHeader = ({ shopName }: StoreFacts, count = 0): Html =>
  html`<header class="store-header">
    <a class="brand" href="/">${shopName}</a>
    <nav aria-label="Store">
      <ul>
        <li><a href="/collections/all">All tests</a></li>
        <li><a href="/account">Account</a></li>
        <li><a href="/cart">Cart${count > 0 && html` <span class="count">${count}<span class="visually-hidden"> in the cart</span></span>`}</a></li>
      </ul>
    </nav>
  </header>`;

/** The theme around a page of the online store. */
export function storefrontPage(
  { facts }: WebContext,
  request: Request,
  page: { title: string; content: Html },
): Html {
  const count = cartCount(readCart(request));
  return htmlDocument({
    title: `${page.title} · ${facts.shopName}`,
    styles: ["storefront"],
    theme: "storefront",
    body: html`${skipLink}
      ${sandboxStrip("storefront")}
      ${themeHeader(facts, count)}
      <main id="content" tabindex="-1">${page.content}</main>
      <footer class="store-footer"><p>${facts.shopName} exists in this sandbox only. Nothing is charged and nothing is sent.</p></footer>`,
  });
}
