import { adminBase, type WebContext } from "../context.ts";
import { extensionsOf } from "../extensions/discover.ts";
import { extensionSlot } from "../extensions/slot.ts";
import { formatMoney, formatStatus, formatTime, numericId, plural } from "../format.ts";
import { type Html, html } from "../html.ts";
import { addressLines } from "../pages/address.ts";
import type { StoreOrder } from "../ports.ts";
import { adminPage } from "./layout.ts";
import { metafieldsCard } from "./product-pages.ts";

/** Badges of an order: payment, fulfilment, and what is out of the ordinary. */
function orderBadges(order: StoreOrder): Html {
  return html`<span class="badge ${order.financialStatus === "PAID" && "good"}">${formatStatus(order.financialStatus)}</span>
    <span class="badge">${formatStatus(order.fulfilmentStatus)}</span>
    ${order.cancelledAt && html`<span class="badge bad">Cancelled</span>`}
    ${order.test && html`<span class="badge">Test order</span>`}`;
}

export async function ordersPage({ facts, ports }: WebContext): Promise<Html> {
  const orders = await ports.orders();
  const name = ({ shippingAddress, billingAddress, email }: StoreOrder) => {
    const address = shippingAddress ?? billingAddress;
    return address ? `${address.firstName} ${address.lastName}` : (email ?? "—");
  };
  return adminPage({
    facts,
    place: "orders",
    title: "Orders",
    content: html`<h1>Orders</h1>
      ${
        orders.length === 0
          ? html`<p class="card">No orders yet. <a href="/">Buy something in the store</a>.</p>`
          : html`<div class="card table-wrap"><table class="stack">
              <thead><tr><th scope="col">Order</th><th scope="col">Date</th><th scope="col">Customer</th><th scope="col">Status</th><th scope="col" class="number">Total</th></tr></thead>
              <tbody>
                ${orders.map(
                  (order) => html`<tr>
                    <th scope="row"><a href="${adminBase(facts)}/orders/${numericId(order.id)}">${order.name}</a></th>
                    <td>${formatTime(order.createdAt)}</td>
                    <td>${name(order)}</td>
                    <td>${orderBadges(order)}</td>
                    <td class="number">${formatMoney(order.totalCents, order.currencyCode)}</td>
                  </tr>`,
                )}
              </tbody>
            </table></div>`
      }`,
  });
}

/** The order page, which hosts the app's admin block. */
export async function orderPage(web: WebContext, order: StoreOrder): Promise<Html> {
  const { facts, ports, extensionsDir } = web;
  const installed = await ports.appInstalled();
  const blocks = installed
    ? await extensionsOf(extensionsDir, "admin.order-details.block.render")
    : [];
  const slots = await Promise.all(
    blocks.map((extension, index) =>
      extensionSlot(
        web,
        {
          extension,
          surface: "admin",
          data: { signals: {}, values: { data: { selected: [{ id: order.id }] } } },
          context: {},
          loginPath: "",
        },
        index,
      ),
    ),
  );
  const money = (cents: number) => formatMoney(cents, order.currencyCode);
  return adminPage({
    facts,
    place: "orders",
    title: order.name,
    styles: ["extension"],
    scripts: slots.length > 0 ? ["/web-assets/js/extension-host.js"] : [],
    content: html`<p class="crumb"><a href="${adminBase(facts)}/orders">← Orders</a></p>
      <div class="heading"><h1>${order.name}</h1>${orderBadges(order)}</div>
      <p class="quiet">${formatTime(order.createdAt)} from the online store</p>
      <div class="columns">
        <div>
          <section class="card table-wrap">
            <h2>${plural(order.lines.length, "line")}</h2>
            <table>
              <thead><tr><th scope="col">Item</th><th scope="col" class="number">Price</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Total</th></tr></thead>
              <tbody>
                ${order.lines.map(
                  (line) => html`<tr>
                    <th scope="row">${line.title}${line.variantTitle && html`<span class="quiet block">${line.variantTitle}</span>`}</th>
                    <td class="number">${money(line.unitPriceCents)}</td>
                    <td class="number">${line.currentQuantity}${line.currentQuantity !== line.quantity && html` <span class="quiet">of ${line.quantity}</span>`}</td>
                    <td class="number">${money(line.unitPriceCents * line.currentQuantity)}</td>
                  </tr>`,
                )}
              </tbody>
              <tfoot>${order.shippingCents !== null && html`<tr><th scope="row" colspan="3">Shipping</th><td class="number">${money(order.shippingCents)}</td></tr>`}<tr><th scope="row" colspan="3">Total</th><td class="number"><strong>${money(order.totalCents)}</strong></td></tr></tfoot>
            </table>
          </section>
          ${slots}
        </div>
        <div>
          <section class="card"><h2>Customer</h2>
            <p>${order.email ?? "No email address"}</p>
            ${order.phone && html`<p>${order.phone}</p>`}
            ${order.shippingAddress && html`<h3>Shipping address</h3>${addressLines(order.shippingAddress)}`}
            ${!order.shippingAddress && order.billingAddress && html`<h3>Billing address</h3>${addressLines(order.billingAddress)}`}
          </section>
          <section class="card"><h2>Tags and note</h2>
            <p>${order.tags.length > 0 ? order.tags.map((tag) => html`<span class="badge">${tag}</span> `) : "No tags"}</p>
            <p>${order.note ?? "No note"}</p>
          </section>
          ${metafieldsCard(order.metafields)}
        </div>
      </div>`,
  });
}
