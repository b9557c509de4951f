import type { Request } from "express";
import type { WebContext } from "../context.ts";
import { formatMoney, numericId } from "../format.ts";
import { type Html, html } from "../html.ts";
import { cartLines, cartTotalCents, readCart, variantTitle } from "./cart.ts";
import { storefrontPage } from "./layout.ts";

export async function cartPage(web: WebContext, request: Request): Promise<Html> {
  const { facts, ports } = web;
  const lines = cartLines(readCart(request), await ports.products());
  const money = (cents: number) => formatMoney(cents, facts.currencyCode);
  return storefrontPage(web, request, {
    title: "Cart",
    content: html`<h1>Cart</h1>
      ${
        lines.length === 0
          ? html`<section class="card"><p>Your cart is empty.</p><p><a class="button primary" href="/collections/all">Choose a test</a></p></section>`
          : html`<ul class="cart-lines card">
                ${lines.map(({ product, variant, quantity, totalCents }) => {
                  const id = numericId(variant.id);
                  return html`<li>
                    <div><a href="/products/${product.handle}">${product.title}</a>
                      ${variantTitle(variant) && html`<span class="quiet block">${variantTitle(variant)}</span>`}</div>
                    <form method="post" action="/cart/change" class="cart-quantity">
                      <input type="hidden" name="id" value="${id}" />
                      <label class="visually-hidden" for="quantity-${id}">Quantity of ${product.title}</label>
                      <input id="quantity-${id}" name="quantity" type="number" min="0" max="50" value="${quantity}" />
                      <button class="button">Update</button>
                    </form>
                    <strong>${money(totalCents)}</strong>
                  </li>`;
                })}
              </ul>
              <div class="cart-total">
                <p>Total <strong>${money(cartTotalCents(lines))}</strong></p>
                <a class="button primary" href="/checkout">Check out</a>
              </div>`
      }`,
  });
}
