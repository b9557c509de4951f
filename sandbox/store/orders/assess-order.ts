import type { Platform } from "../platform.ts";
import { globalId } from "../state/global-id.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { publish } from "../webhooks/publish.ts";
import { saveOrder } from "./change-order.ts";

/** Shopify gives an order another assessment, and tells the app: orders/risk_assessment_changed. */
export function assessOrder(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  riskLevel: OrderDocument["riskLevel"],
): OrderDocument {
  const assessed = saveOrder(platform, order, { riskLevel });
  publish(platform, shop, "orders/risk_assessment_changed", {
    provider_id: null,
    provider_title: null,
    risk_level: riskLevel.toLowerCase(),
    created_at: platform.clock.nowIso(),
    order_id: order.id,
    admin_graphql_api_order_id: globalId("Order", order.id),
  });
  return assessed;
}
