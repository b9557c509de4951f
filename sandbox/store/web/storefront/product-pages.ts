import type { Request } from "express";
import type { WebContext } from "../context.ts";
import { discoverExtensions } from "../extensions/discover.ts";
import { formatMoney, numericId } from "../format.ts";
import { type Html, html, trusted } from "../html.ts";
import type { StoreProduct } from "../ports.ts";
import { variantTitle } from "./cart.ts";
import { storefrontPage } from "./layout.ts";
import { productArt } from "./product-art.ts";
import { renderProductBlocks } from "./theme-block.ts";

function priceText(product: StoreProduct, currencyCode: string): string {
  const prices = product.variants.map((variant) => variant.priceCents);
  const low = Math.min(...prices);
  return `${low < Math.max(...prices) ? "From " : ""}${formatMoney(low, currencyCode)}`;
}

export async function collectionPage(
  web: WebContext,
  request: Request,
  isHome: boolean,
): Promise<Html> {
  const { facts, ports } = web;
  const products = (await ports.products()).filter((product) => product.status === "ACTIVE");
  return storefrontPage(web, request, {
    title: isHome ? "Pathology tests, bought online" : "All tests",
    content: html`${
      isHome
        ? html`<section class="hero"><h1>Pathology tests without the waiting room</h1>
            <p>Choose a test, tell us who it is for, take the form to a collection centre, and read the results in your account.</p></section>`
        : html`<h1>All tests</h1>`
    }
      ${products.length === 0 && html`<p class="card">Nothing is for sale yet.</p>`}
      <ul class="product-grid">
        ${products.map(
          (product) => html`<li class="product-card">
            ${productArt(product.title)}
            <h2><a href="/products/${product.handle}">${product.title}</a></h2>
            <p class="price">${priceText(product, facts.currencyCode)}</p>
          </li>`,
        )}
      </ul>`,
  });
}

/** The product page, with the blocks of the app's theme extension as a merchant would place them. */
export async function productPage(
  web: WebContext,
  request: Request,
  product: StoreProduct,
): Promise<Html> {
  const { facts } = web;
  const [first] = product.variants;
  const single = product.variants.length === 1 && first;
  return storefrontPage(web, request, {
    title: product.title,
    content: html`<div class="product">
      <div class="product-picture">${productArt(product.title)}</div>
      <div class="product-info">
        <h1>${product.title}</h1>
        <p class="price">${priceText(product, facts.currencyCode)} <span class="quiet">including GST</span></p>
        <div class="prose">${trusted(product.descriptionHtml)}</div>
        <form method="post" action="/cart/add">
          ${
            single
              ? html`<input type="hidden" name="id" value="${numericId(single.id)}" />`
              : html`<div class="field"><label for="variant">Option</label>
                  <select id="variant" name="id">
                    ${product.variants.map(
                      (
                        variant,
                      ) => html`<option value="${numericId(variant.id)}" ${!variant.available && html`disabled`}>
                        ${variantTitle(variant) ?? product.title} – ${formatMoney(variant.priceCents, facts.currencyCode)}
                      </option>`,
                    )}
                  </select></div>`
          }
          <div class="field quantity"><label for="quantity">Quantity</label>
            <input id="quantity" name="quantity" type="number" min="1" max="50" value="1" /></div>
          <button class="button primary wide">Add to cart</button>
        </form>
        ${await themeBlocks(web, product)}
      </div>
    </div>`,
  });
}

async function themeBlocks(web: WebContext, product: StoreProduct): Promise<Html[]> {
  const { theme } = await discoverExtensions(web.extensionsDir);
  const sections: Html[] = [];
  for (const extension of theme) {
    try {
      const blocks = await renderProductBlocks(extension, { facts: web.facts, product });
      // Shopify wraps each app block in an element of this shape.
      sections.push(
        ...blocks.map(
          ({ handle, markup }) =>
            html`<div id="shopify-block-${handle}" class="shopify-block shopify-app-block">${trusted(markup)}</div>`,
        ),
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      sections.push(
        html`<p class="notice is-error">The theme extension <strong>${extension.handle}</strong> failed: ${message}</p>`,
      );
    }
  }
  return sections;
}
