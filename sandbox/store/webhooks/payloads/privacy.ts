import type { CustomerDocument } from "../../state/customer.ts";
import type { ShopDocument } from "../../state/shop.ts";

const about = (shop: ShopDocument) => ({ shop_id: shop.numericId, shop_domain: shop.id });

const person = (customer: CustomerDocument) => ({
  id: customer.id,
  email: customer.email,
  phone: customer.phone,
});

/** customers/data_request */
export const dataRequestPayload = (
  shop: ShopDocument,
  customer: CustomerDocument,
  orderIds: number[],
  requestId: number,
) => ({
  ...about(shop),
  customer: person(customer),
  orders_requested: orderIds,
  data_request: { id: requestId },
});

/** customers/redact */
export const customerRedactPayload = (
  shop: ShopDocument,
  customer: CustomerDocument,
  orderIds: number[],
) => ({ ...about(shop), customer: person(customer), orders_to_redact: orderIds });

/** shop/redact */
export const shopRedactPayload = (shop: ShopDocument) => about(shop);
