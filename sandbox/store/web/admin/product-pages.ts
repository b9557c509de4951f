import { adminBase, type WebContext } from "../context.ts";
import { formatMoney, formatStatus, numericId, plural } from "../format.ts";
import { type Html, html, trusted } from "../html.ts";
import type { StoreProduct } from "../ports.ts";
import { adminPage } from "./layout.ts";

export async function productsPage({ facts, ports }: WebContext): Promise<Html> {
  const products = await ports.products();
  const price = (product: StoreProduct) => {
    const cents = product.variants.map((variant) => variant.priceCents);
    const low = Math.min(...cents);
    const from = formatMoney(low, facts.currencyCode);
    return low === Math.max(...cents) ? from : `from ${from}`;
  };
  return adminPage({
    facts,
    place: "products",
    title: "Products",
    content: html`<h1>Products</h1>
      ${
        products.length === 0
          ? html`<p class="card">No products yet. The control API makes them: <code>POST /products</code>.</p>`
          : html`<div class="card table-wrap"><table>
              <thead><tr><th scope="col">Product</th><th scope="col">Status</th><th scope="col">Variants</th><th scope="col" class="number">Price</th></tr></thead>
              <tbody>
                ${products.map(
                  (product) => html`<tr>
                    <th scope="row"><a href="${adminBase(facts)}/products/${numericId(product.id)}">${product.title}</a></th>
                    <td><span class="badge">${formatStatus(product.status)}</span></td>
                    <td>${plural(product.variants.length, "variant")}</td>
                    <td class="number">${price(product)}</td>
                  </tr>`,
                )}
              </tbody>
            </table></div>`
      }`,
  });
}

export function productPage({ facts }: WebContext, product: StoreProduct): Html {
  return adminPage({
    facts,
    place: "products",
    title: product.title,
    content: html`<p class="crumb"><a href="${adminBase(facts)}/products">← Products</a></p>
      <div class="heading">
        <h1>${product.title}</h1>
        <span class="badge">${formatStatus(product.status)}</span>
        <a class="button" href="/products/${product.handle}">View in the store</a>
      </div>
      <section class="card">
        <h2>Description</h2>
        <div class="prose">${trusted(product.descriptionHtml)}</div>
      </section>
      <section class="card table-wrap">
        <h2>Variants</h2>
        <table>
          <thead><tr><th scope="col">Variant</th><th scope="col">SKU</th><th scope="col" class="number">Price</th></tr></thead>
          <tbody>
            ${product.variants.map(
              (variant) => html`<tr>
                <th scope="row">${variant.title}</th>
                <td>${variant.sku ? html`<code>${variant.sku}</code>` : "—"}</td>
                <td class="number">${formatMoney(variant.priceCents, facts.currencyCode)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </section>
      ${metafieldsCard(product.metafields)}`,
  });
}

/** Metafields as the merchant sees them: whatever an app writes here is readable, so nothing clinical may be. */
export function metafieldsCard(metafields: StoreProduct["metafields"]): Html | null {
  if (metafields.length === 0) return null;
  return html`<section class="card">
    <h2>Metafields</h2>
    <dl class="facts">
      ${metafields.map(
        (metafield) => html`<dt><code>${metafield.namespace}.${metafield.key}</code></dt>
          <dd><code class="wrap">${metafield.value}</code></dd>`,
      )}
    </dl>
  </section>`;
}
