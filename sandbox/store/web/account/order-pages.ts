import type { WebContext } from "../context.ts";
import { extensionsOf } from "../extensions/discover.ts";
import { orderStatusData } from "../extensions/order-data.ts";
import { extensionSlot } from "../extensions/slot.ts";
import { formatMoney, formatStatus, formatTime, numericId, plural } from "../format.ts";
import { type Html, html } from "../html.ts";
import { addressLines } from "../pages/address.ts";
import type { StoreCustomer, StoreOrder } from "../ports.ts";
import { accountPage } from "./layout.ts";
import type { OrderAccess } from "./session.ts";

export async function ordersPage(web: WebContext, customer: StoreCustomer): Promise<Html> {
  const orders = await web.ports.ordersOfCustomer(customer.id);
  return accountPage(web, {
    title: "Orders",
    customer,
    current: "/account/orders",
    content: html`<h1>Orders</h1>
      ${
        orders.length === 0
          ? html`<section class="card"><p>You have no orders yet.</p><p><a class="button primary" href="/">Go to the shop</a></p></section>`
          : html`<ul class="order-cards">
              ${orders.map(
                (order) => html`<li class="card">
                  <h2><a href="/account/orders/${numericId(order.id)}">Order ${order.name}</a></h2>
                  <p class="quiet">${formatTime(order.createdAt)} · ${formatMoney(order.totalCents, order.currencyCode)}</p>
                  <p>${order.lines.map((line) => line.title).join(", ")}</p>
                </li>`,
              )}
            </ul>`
      }`,
  });
}

/** The order status page, which hosts the app's order-status extensions. */
export async function orderStatusPage(
  web: WebContext,
  access: Exclude<OrderAccess, { kind: "none" }>,
  customer: StoreCustomer | null,
): Promise<Html> {
  const { order } = access;
  const { facts, ports, extensionsDir } = web;
  const own = access.kind === "customer";
  const path = `/account/orders/${numericId(order.id)}`;
  const legacy = (await ports.customerAccounts()) === "legacy";
  const blocks =
    legacy || !(await ports.appInstalled())
      ? []
      : await extensionsOf(extensionsDir, "customer-account.order-status.block.render");
  const data = orderStatusData({
    facts,
    order,
    customer: own ? customer : null,
    products: await ports.products(),
  });
  const context: Record<string, string> = own
    ? { orderId: order.id }
    : { orderId: order.id, key: order.statusKey };
  const loginPath = `/account/login?return=${encodeURIComponent(path)}`;
  const slots = await Promise.all(
    blocks.map((extension, index) =>
      extensionSlot(
        web,
        { extension, surface: "customer-account", data, context, loginPath },
        index,
      ),
    ),
  );
  return accountPage(web, {
    title: `Order ${order.name}`,
    customer,
    current: own ? "/account/orders" : undefined,
    hosts: slots.length > 0,
    content: html`${own && html`<p class="crumb"><a href="/account/orders">← Orders</a></p>`}
      <h1>Order ${order.name}</h1>
      <p class="quiet">
        Placed on ${formatTime(order.createdAt)} · ${order.cancelledAt ? "Cancelled" : formatStatus(order.financialStatus)}
      </p>
      ${!own && html`<p class="notice"><a href="${loginPath}">Sign in</a> to see all of this order.</p>`}
      <div class="columns">
        <div>${slots}${legacy && legacyHint(web)}</div>
        ${summary(order, own)}
      </div>`,
  });
}

function legacyHint({ facts }: WebContext): Html | null {
  const { proxy, name } = facts.app;
  if (!proxy) return null;
  return html`<section class="card">
    <h2>${name}</h2>
    <p><a class="button" href="/${proxy.prefix}/${proxy.subpath}">Open your ${name} page</a></p>
  </section>`;
}

function summary(order: StoreOrder, own: boolean): Html {
  const money = (cents: number) => formatMoney(cents, order.currencyCode);
  return html`<section class="card summary" aria-label="Order summary">
    <h2>${plural(order.lines.length, "item")}</h2>
    <ul class="lines">
      ${order.lines.map(
        (line) => html`<li>
          <span>${line.title}${line.quantity > 1 && html` × ${line.quantity}`}
            ${line.variantTitle && html`<span class="quiet block">${line.variantTitle}</span>`}
            ${line.currentQuantity < line.quantity && html`<span class="quiet block">${line.quantity - line.currentQuantity} removed</span>`}</span>
          <span>${money(line.unitPriceCents * line.quantity)}</span>
        </li>`,
      )}
    </ul>
    ${order.shippingCents !== null && html`<p class="total"><span>Shipping</span><span>${money(order.shippingCents)}</span></p>`}
    <p class="total"><span>Total</span><strong>${money(order.totalCents)}</strong></p>
    ${own && order.shippingAddress && html`<h3>Shipping address</h3>${addressLines(order.shippingAddress)}`}
    ${own && !order.shippingAddress && order.billingAddress && html`<h3>Billing address</h3>${addressLines(order.billingAddress)}`}
  </section>`;
}
