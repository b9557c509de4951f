import express, { type Request, type Router } from "express";
import { assessOrder } from "../orders/assess-order.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { createOrder } from "../orders/create-order.ts";
import { deleteOrder } from "../orders/delete-order.ts";
import { editOrder } from "../orders/edit-order.ts";
import { fulfilByHand } from "../orders/fulfil-order.ts";
import { payOutstanding } from "../orders/pay-outstanding.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { endReturn, openReturn } from "../orders/return-units.ts";
import { setCustomer } from "../orders/set-customer.ts";
import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { idFrom } from "../state/global-id.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import {
  cancellation,
  newAssessment,
  newFulfilment,
  newOrder,
  newRefund,
  newReturn,
  orderCustomer,
  orderEdit,
  returnEnd,
} from "./bodies.ts";
import { idInPath, shopInQuery } from "./shop-in-query.ts";
import { orderAnswer, refundAnswer } from "./views.ts";

/** Orders and what becomes of them. */
export function orderRoutes(platform: Platform): Router {
  const router = express.Router();
  const { data } = platform;

  const target = (request: Request): { shop: ShopDocument; order: OrderDocument } => {
    const shop = shopInQuery(platform, request);
    const order = data.orders.get(idFrom(idInPath(request), "Order") ?? 0);
    if (order?.shop !== shop.id) throw new Refusal(404, "there is no such order");
    return { shop, order };
  };

  router.post("/orders", (request, response) => {
    const order = createOrder(
      platform,
      shopInQuery(platform, request),
      newOrder.parse(request.body),
    );
    response.status(201).json(orderAnswer(order));
  });
  router.post("/orders/*/refunds", (request, response) => {
    const { shop, order } = target(request);
    const refunded = refundOrder(platform, shop, order, newRefund.parse(request.body));
    response
      .status(201)
      .json({ ...refundAnswer(refunded.refund), order: orderAnswer(refunded.order) });
  });
  router.post("/orders/*/cancel", (request, response) => {
    const { shop, order } = target(request);
    const input = cancellation.parse(request.body ?? {});
    response.json(orderAnswer(cancelOrder(platform, shop, order, input)));
  });
  router.post("/orders/*/edit", (request, response) => {
    const { shop, order } = target(request);
    const { lines } = orderEdit.parse(request.body);
    const edited = editOrder(platform, shop, order, {
      setQuantities: lines.filter((line) => "lineItemId" in line),
      add: lines.filter((line) => "variantId" in line),
    });
    response.json(orderAnswer(edited));
  });
  // Staff fulfil by hand.
  router.post("/orders/*/fulfillments", (request, response) => {
    const { shop, order } = target(request);
    const { lines } = newFulfilment.parse(request.body);
    response.status(201).json(orderAnswer(fulfilByHand(platform, shop, order, lines)));
  });
  router.put(/^\/orders\/(.+)\/returns\/(\d+)$/, (request, response) => {
    const { shop, order } = target(request);
    const { status } = returnEnd.parse(request.body);
    const id = Number(request.params["1"]);
    response.json(orderAnswer(endReturn(platform, shop, order, { id, status })));
  });
  router.post("/orders/*/returns", (request, response) => {
    const { shop, order } = target(request);
    const opened = openReturn(platform, shop, order, newReturn.parse(request.body));
    response.status(201).json(orderAnswer(opened));
  });
  // Shopify has assessed the order anew.
  router.put("/orders/*/risk", (request, response) => {
    const { shop, order } = target(request);
    const { risk } = newAssessment.parse(request.body);
    response.json(orderAnswer(assessOrder(platform, shop, order, risk)));
  });
  // Staff correct whose order it is.
  router.put("/orders/*/customer", (request, response) => {
    const { shop, order } = target(request);
    const { customerId } = orderCustomer.parse(request.body);
    response.json(orderAnswer(setCustomer(platform, shop, order, customerId)));
  });
  router.post("/orders/*/pay", (request, response) => {
    const { shop, order } = target(request);
    response.json(orderAnswer(payOutstanding(platform, shop, order)));
  });
  router.delete("/orders/*", (request, response) => {
    const { shop, order } = target(request);
    deleteOrder(platform, shop, order);
    response.status(204).end();
  });
  router.get("/orders", (request, response) => {
    const shop = shopInQuery(platform, request);
    const orders = data.orders.all().filter((order) => order.shop === shop.id);
    response.json(orders.reverse().map(orderAnswer));
  });
  router.get("/orders/*", (request, response) => {
    response.json(orderAnswer(target(request).order));
  });
  return router;
}
