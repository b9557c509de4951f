import express, { type Router } from "express";
import { signedInCustomer } from "../account/session.ts";
import type { WebContext } from "../context.ts";
import { numericId } from "../format.ts";
import { asyncHandler, parameter, sameSiteOnly, sendPage } from "../http.ts";
import { type CartLine, cartLines, readCart, writeCart } from "./cart.ts";
import {
  type CheckoutErrors,
  checkValues,
  FIELDS,
  initialValues,
  readValues,
  toCheckoutInput,
} from "./checkout-form.ts";
import { checkoutPage, thankYouPage } from "./checkout-page.ts";

/** The checkout, mounted at `/checkout`. */
export function checkoutRoutes(web: WebContext): Router {
  const { ports } = web;
  const router = express.Router();
  const shippingOf = (lines: CartLine[]) => ports.shippingRate(lines.map(({ variant }) => variant));
  router.get(
    "/",
    asyncHandler(async (request, response) => {
      const lines = cartLines(readCart(request), await ports.products());
      if (lines.length === 0) {
        response.redirect("/cart");
        return;
      }
      const customer = await signedInCustomer(request, ports);
      const values = initialValues(customer, request.query.sample === "1");
      const shipping = await shippingOf(lines);
      sendPage(response, checkoutPage(web, { lines, values, errors: {}, customer, shipping }));
    }),
  );
  router.post(
    "/",
    sameSiteOnly,
    express.urlencoded({ extended: false }),
    asyncHandler(async (request, response) => {
      const lines = cartLines(readCart(request), await ports.products());
      const customer = await signedInCustomer(request, ports);
      const values = readValues(request);
      const { errors, test } = checkValues(values);
      const shipping = await shippingOf(lines);
      const page = { lines, values, customer, shipping };
      const refuse = (found: CheckoutErrors) =>
        sendPage(response, checkoutPage(web, { ...page, errors: found }), 422);
      if (Object.keys(errors).length > 0) {
        refuse(errors);
        return;
      }
      const outcome = await ports.placeOrder(
        toCheckoutInput(values, {
          customerId: customer?.id ?? null,
          lines: lines.map((line) => ({ variantId: line.variant.id, quantity: line.quantity })),
          test,
        }),
      );
      if (!outcome.ok) {
        refuse(readStoreErrors(outcome.errors));
        return;
      }
      writeCart(response, {});
      const { order } = outcome;
      const query = new URLSearchParams({ key: order.statusKey });
      response.redirect(303, `/checkout/thank-you/${numericId(order.id)}?${query}`);
    }),
  );
  router.get(
    "/thank-you/:id",
    asyncHandler(async (request, response) => {
      const order = await ports.order(`gid://shopify/Order/${parameter(request.params.id)}`);
      if (!order || order.statusKey !== parameter(request.query.key)) {
        response.redirect("/");
        return;
      }
      const customer = await signedInCustomer(request, ports);
      const signedIn = customer !== null && customer.id === order.customerId;
      sendPage(response, await thankYouPage(web, order, signedIn ? customer : null));
    }),
  );
  return router;
}

function readStoreErrors(found: { field: string | null; message: string }[]): CheckoutErrors {
  const errors: CheckoutErrors = {};
  for (const { field, message } of found) {
    const name = FIELDS.find((candidate) => candidate === field);
    errors[name ?? "cart"] ??= message;
  }
  return errors;
}
