import type { WebContext } from "../context.ts";
import { extensionsOf } from "../extensions/discover.ts";
import { thankYouData } from "../extensions/order-data.ts";
import { extensionSlot } from "../extensions/slot.ts";
import { formatMoney, numericId } from "../format.ts";
import { type Html, html } from "../html.ts";
import { htmlDocument, skipLink } from "../pages/document.ts";
import { sandboxStrip } from "../pages/sandbox-strip.ts";
import type { StoreCustomer, StoreOrder } from "../ports.ts";
import { type CartLine, cartTotalCents, variantTitle } from "./cart.ts";
import {
  type CheckoutErrors,
  type CheckoutValues,
  type FieldName,
  STATES,
} from "./checkout-form.ts";

interface CheckoutPage {
  lines: CartLine[];
  values: CheckoutValues;
  errors: CheckoutErrors;
  customer: StoreCustomer | null;
  /** Null when nothing has to be shipped: the checkout then asks for a billing address instead. */
  shipping: { title: string; priceCents: number } | null;
}

function frame({ facts }: WebContext, title: string, content: Html, hosts = false): Html {
  return htmlDocument({
    title: `${title} · ${facts.shopName}`,
    styles: hosts ? ["storefront", "extension"] : ["storefront"],
    theme: "storefront checkout",
    scripts: hosts ? ["/web-assets/js/extension-host.js"] : [],
    body: html`${skipLink}${sandboxStrip("storefront")}
      <header class="store-header"><a class="brand" href="/">${facts.shopName}</a></header>
      <main id="content" tabindex="-1">${content}</main>
      ${hosts && html`<div id="toasts" class="toasts" role="status" aria-live="polite"></div>`}`,
  });
}

/** One page, as Shopify's: contact, delivery, payment; the cart beside it. */
export function checkoutPage(web: WebContext, page: CheckoutPage): Html {
  const { values, errors, customer, shipping } = page;
  const input = (
    name: FieldName,
    label: string,
    options: {
      type?: string;
      autocomplete: string;
      required?: boolean;
      mode?: string;
      wide?: boolean;
      hint?: string;
    },
  ) => {
    const error = errors[name];
    return html`<div class="field ${options.wide !== false && "wide"}">
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="${options.type ?? "text"}" autocomplete="${options.autocomplete}" value="${values[name]}"
        ${options.mode && html`inputmode="${options.mode}"`} ${options.required && html`aria-required="true"`}
        ${error && html`aria-invalid="true" aria-describedby="${name}-error"`} />
      ${error && html`<p class="error" id="${name}-error">${error}</p>`}
    </div>`;
  };
  const count = Object.keys(errors).length;
  return frame(
    web,
    "Checkout",
    html`<div class="checkout-columns">
      <div>
        <h1>Checkout</h1>
        ${
          count > 0 &&
          html`<p class="notice is-error" role="alert">${errors.cart ?? `Please check ${count === 1 ? "the marked field" : `the ${count} marked fields`}.`}</p>`
        }
        <p class="sandbox-hint">
          Sandbox: pay with <code>4242 4242 4242 4242</code>, or with <code>1</code> for a test order; <code>2</code> is declined.
          <a href="/checkout?sample=1">Fill in a sample</a>
        </p>
        <form method="post" action="/checkout" novalidate>
          <fieldset class="grid-fields"><legend>Contact</legend>
            ${!customer && html`<p class="wide quiet">Have an account? <a href="/account/login?return=/checkout">Sign in</a></p>`}
            ${input("email", "Email", { type: "email", autocomplete: "email", required: true })}
          </fieldset>
          <fieldset class="grid-fields"><legend>${shipping ? "Delivery" : "Billing address"}</legend>
            <p class="wide"><span class="quiet">Country/region:</span> Australia</p>
            ${input("firstName", "First name (optional)", { autocomplete: "given-name", wide: false })}
            ${input("lastName", "Last name", { autocomplete: "family-name", required: true, wide: false })}
            ${input("company", "Company (optional)", { autocomplete: "organization" })}
            ${input("address1", "Address", { autocomplete: "address-line1", required: true })}
            ${input("address2", "Apartment, suite, etc. (optional)", { autocomplete: "address-line2" })}
            ${input("city", "Suburb", { autocomplete: "address-level2", required: true })}
            <div class="field">
              <label for="provinceCode">State/territory</label>
              <select id="provinceCode" name="provinceCode" autocomplete="address-level1" aria-required="true"
                ${errors.provinceCode && html`aria-invalid="true" aria-describedby="provinceCode-error"`}>
                <option value="">Choose</option>
                ${STATES.map(([code, name]) => html`<option value="${code}" ${code === values.provinceCode && html`selected`}>${name}</option>`)}
              </select>
              ${errors.provinceCode && html`<p class="error" id="provinceCode-error">${errors.provinceCode}</p>`}
            </div>
            ${input("zip", "Postcode", { autocomplete: "postal-code", required: true, mode: "numeric", wide: false })}
            ${input("phone", "Phone (optional)", { type: "tel", autocomplete: "tel" })}
          </fieldset>
          <fieldset class="grid-fields"><legend>Payment</legend>
            ${input("cardNumber", "Card number", { autocomplete: "cc-number", required: true, mode: "numeric" })}
            ${input("cardExpiry", "Expiry date (MM/YY)", { autocomplete: "cc-exp", required: true, wide: false })}
            ${input("cardCode", "Security code", { autocomplete: "cc-csc", required: true, mode: "numeric", wide: false })}
            ${input("cardName", "Name on card", { autocomplete: "cc-name", required: true })}
          </fieldset>
          <button class="button primary wide">Pay now</button>
        </form>
      </div>
      ${summary(web, page)}
    </div>`,
  );
}

function summary({ facts }: WebContext, { lines, shipping }: CheckoutPage): Html {
  const money = (cents: number) => formatMoney(cents, facts.currencyCode);
  return html`<section class="card checkout-summary" aria-label="Order summary">
    <h2>Order summary</h2>
    <ul class="lines">
      ${lines.map(
        ({ product, variant, quantity, totalCents }) => html`<li>
          <span>${product.title}${quantity > 1 && html` × ${quantity}`}${variantTitle(variant) && html`<span class="quiet block">${variantTitle(variant)}</span>`}</span>
          <span>${money(totalCents)}</span>
        </li>`,
      )}
    </ul>
    ${
      shipping &&
      html`<p class="total"><span>Subtotal</span><span>${money(cartTotalCents(lines))}</span></p>
        <p class="total"><span>Shipping <span class="quiet">(${shipping.title})</span></span><span>${money(shipping.priceCents)}</span></p>`
    }
    <p class="total"><strong>Total</strong><strong>${money(cartTotalCents(lines) + (shipping?.priceCents ?? 0))}</strong></p>
  </section>`;
}

/** The app's blocks on the thank-you page. */
async function thankYouBlocks(
  web: WebContext,
  order: StoreOrder,
  customer: StoreCustomer | null,
): Promise<Html[]> {
  const { facts, ports } = web;
  if ((await ports.customerAccounts()) === "legacy" || !(await ports.appInstalled())) return [];
  const found = await extensionsOf(web.extensionsDir, "purchase.thank-you.block.render");
  const data = thankYouData({ facts, order, customer, products: await ports.products() });
  const context = { orderId: order.id, key: order.statusKey };
  const loginPath = "/account/login";
  return Promise.all(
    found.map((extension, index) =>
      extensionSlot(
        web,
        { extension, surface: "customer-account", data, context, loginPath },
        index,
      ),
    ),
  );
}

/** The page after paying. Signed-in buyers go straight to their order; others by the link that their mail holds too. */
export async function thankYouPage(
  web: WebContext,
  order: StoreOrder,
  customer: StoreCustomer | null,
): Promise<Html> {
  const blocks = await thankYouBlocks(web, order, customer);
  const path = `/account/orders/${numericId(order.id)}`;
  const link = customer ? path : `${path}?key=${encodeURIComponent(order.statusKey)}`;
  const name = (order.shippingAddress ?? order.billingAddress)?.firstName;
  return frame(
    web,
    `Order ${order.name} confirmed`,
    html`<section class="card thank-you">
      <p class="quiet">Order ${order.name}</p>
      <h1>Thank you${name && html`, ${name}`}!</h1>
      <p>Your order is confirmed. We have sent a mail to <strong>${order.email}</strong>.</p>
      <ul class="lines">${order.lines.map((line) => html`<li><span>${line.title}</span><span>× ${line.quantity}</span></li>`)}</ul>
      ${blocks}
      <p class="actions">
        <a class="button primary" href="${link}">View your order</a>
        <a class="button" href="/">Continue shopping</a>
      </p>
      <p class="sandbox-hint">Sandbox: the mail is in the <a href="/sandbox/mail">inbox</a>, what the app was told is under <a href="/sandbox/webhooks">webhooks</a>.</p>
    </section>`,
    blocks.length > 0,
  );
}
