import { findVariant } from "../../products/find-variant.ts";
import { globalId, parseGlobalId } from "../../state/global-id.ts";
import type { Caller } from "../context.ts";
import { notModelled } from "../not-modelled.ts";
import { visibleOrders } from "../queries/orders.ts";
import type { View } from "../view.ts";
import { installationView } from "./app.ts";
import { customerView } from "./customer.ts";
import { fulfillmentOrderView, fulfillmentView } from "./fulfillment.ts";
import { lineItemView } from "./line-item.ts";
import { orderView } from "./order.ts";
import { productView, variantView } from "./product.ts";
import { refundView } from "./refund.ts";
import { shopView } from "./shop.ts";

/**
 * The object behind a global id, in the asker's shop; null when there is none.
 * Throws when the id is of a type that the store does not know.
 */
export function nodeView(caller: Caller, globalIdText: string): View | null {
  const parsed = parseGlobalId(globalIdText);
  if (!parsed) return null;
  const { type, id } = parsed;
  const { data } = caller.platform;
  switch (type) {
    case "Shop":
      return id === caller.shop.numericId ? shopView(caller) : null;
    case "AppInstallation": {
      const installation = installationView(caller);
      return installation?.id === globalId("AppInstallation", id) ? installation : null;
    }
    case "Product": {
      const product = data.products.get(id);
      return product?.shop === caller.shop.id ? productView(caller, product) : null;
    }
    case "ProductVariant": {
      const found = findVariant(data, caller.shop.id, id);
      return found ? variantView(caller, found.product, found.variant) : null;
    }
    case "Customer": {
      const customer = data.customers.get(id);
      return customer?.shop === caller.shop.id ? customerView(caller, customer, orderView) : null;
    }
    case "Order": {
      const order = data.orders.get(id);
      return order && visibleOrders(caller, [order]).length > 0 ? orderView(caller, order) : null;
    }
    case "LineItem":
    case "Refund":
    case "Fulfillment":
    case "FulfillmentOrder":
      return partOfOrder(caller, type, id);
    default:
      throw notModelled(`a node of type ${type}`);
  }
}

function partOfOrder(
  caller: Caller,
  type: "LineItem" | "Refund" | "Fulfillment" | "FulfillmentOrder",
  id: number,
): View | null {
  for (const order of visibleOrders(caller)) {
    const whole = () => orderView(caller, order);
    const line = type === "LineItem" && order.lines.find((entry) => entry.id === id);
    if (line) return lineItemView(caller, order, line);
    const refund = type === "Refund" && order.refunds.find((entry) => entry.id === id);
    if (refund) return refundView(caller, order, refund, whole);
    const made = type === "Fulfillment" && order.fulfillments.find((entry) => entry.id === id);
    if (made) return fulfillmentView(caller, order, made, whole);
    const todo =
      type === "FulfillmentOrder" && order.fulfillmentOrders.find((entry) => entry.id === id);
    if (todo) return fulfillmentOrderView(caller, order, todo, whole);
  }
  return null;
}
