import { globalId } from "../../state/global-id.ts";
import type { FulfillmentRecord, OrderDocument } from "../../state/order.ts";
import type { ShopDocument } from "../../state/shop.ts";
import type { Tables } from "../../state/tables.ts";
import { shopTime } from "../shop-time.ts";
import { lineItem } from "./line-item.ts";

/** A fulfilment inside an order. */
export function fulfillmentInOrder(
  order: OrderDocument,
  fulfillment: FulfillmentRecord,
  shop: ShopDocument,
  data: Tables,
) {
  return {
    id: fulfillment.id,
    admin_graphql_api_id: globalId("Fulfillment", fulfillment.id),
    created_at: shopTime(fulfillment.createdAt, shop.ianaTimezone),
    location_id: shop.locationId,
    name: fulfillment.name,
    order_id: order.id,
    origin_address: {},
    receipt: {},
    service: "manual",
    shipment_status: null,
    status: "success",
    tracking_company: fulfillment.trackingCompany,
    tracking_number: fulfillment.trackingNumber,
    tracking_numbers: fulfillment.trackingNumber === null ? [] : [fulfillment.trackingNumber],
    tracking_url: fulfillment.trackingUrl,
    tracking_urls: fulfillment.trackingUrl === null ? [] : [fulfillment.trackingUrl],
    updated_at: shopTime(fulfillment.updatedAt, shop.ianaTimezone),
    line_items: fulfillment.lines.flatMap((entry) => {
      const line = order.lines.find((candidate) => candidate.id === entry.lineItemId);
      if (!line) return [];
      const { attributed_staffs, sales_line_item_group_id, ...item } = lineItem(order, line, data);
      return [{ ...item, quantity: entry.quantity }];
    }),
  };
}
