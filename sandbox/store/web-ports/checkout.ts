import { address } from "../control/bodies.ts";
import { keepMail } from "../mail/mailbox.ts";
import { createOrder } from "../orders/create-order.ts";
import { shippingRate } from "../orders/shipping.ts";
import type { Platform } from "../platform.ts";
import { findVariant } from "../products/find-variant.ts";
import { idFrom } from "../state/global-id.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import type { CheckoutInput, CheckoutOutcome } from "../web/ports.ts";
import { orderPort } from "./port-views.ts";

/** Does what ends a checkout: a paid order, its webhooks, a confirmation by email. */
export function placeOrder(
  platform: Platform,
  shop: ShopDocument,
  input: CheckoutInput,
): CheckoutOutcome {
  const errors = problemsOf(input);
  const lines = input.lines.flatMap((line) => {
    const variantId = idFrom(line.variantId, "ProductVariant") ?? 0;
    const found = findVariant(platform.data, shop.id, variantId);
    if (found?.product.status !== "ACTIVE") return [];
    const { requiresShipping } = found.variant;
    return [{ variantId, quantity: line.quantity, requiresShipping }];
  });
  if (lines.length < input.lines.length) {
    errors.push({ field: null, message: "Something in your cart is no longer for sale." });
  }
  if (errors.length > 0) return { ok: false, errors };
  const given = address.parse(input.address);
  const order = createOrder(platform, shop, {
    customerId: input.customerId === null ? null : (idFrom(input.customerId, "Customer") ?? null),
    email: input.email,
    phone: input.phone,
    lines,
    ...(shippingRate(lines) ? { shippingAddress: given } : { billingAddress: given }),
    test: input.test,
  });
  confirmByMail(platform, shop, order);
  return { ok: true, order: orderPort(platform, order) };
}

type Problems = { field: string | null; message: string }[];

function problemsOf(input: CheckoutInput): Problems {
  const problems: Problems = [];
  const need = (field: string, value: string | null | undefined, what: string) => {
    if (!value?.trim()) problems.push({ field, message: `Enter ${what}` });
  };
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(input.email)) {
    problems.push({ field: "email", message: "Enter a valid email" });
  }
  const { lastName, address1, city, provinceCode, zip } = input.address;
  need("lastName", lastName, "a last name");
  need("address1", address1, "an address");
  need("city", city, "a suburb");
  need("provinceCode", provinceCode, "a state or territory");
  if (!/^\d{4}$/.test(zip)) {
    problems.push({ field: "zip", message: "Enter a valid postcode" });
  }
  if (input.lines.length === 0 || input.lines.some((line) => line.quantity < 1)) {
    problems.push({ field: null, message: "Your cart is empty." });
  }
  return problems;
}

function confirmByMail(platform: Platform, shop: ShopDocument, order: OrderDocument): void {
  if (order.email === null) return;
  const link = `${platform.origin}/account/orders/${order.id}?key=${order.statusKey}`;
  const lines = order.lines.map((line) => `${line.quantity} × ${line.title}`).join("\n");
  keepMail(platform.data, platform.clock, {
    from: shop.email,
    to: order.email,
    subject: `Order ${order.name} confirmed`,
    text: `Thank you for your order.\n\n${lines}\n\nView your order: ${link}\n`,
    html: null,
  });
}
