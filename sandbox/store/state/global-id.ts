/** Shopify's global ids: `gid://shopify/Order/6000000001001`. The store keys everything by the numeric part. */
export type GlobalIdType =
  | "App"
  | "AppInstallation"
  | "Customer"
  | "Fulfillment"
  | "FulfillmentLineItem"
  | "FulfillmentOrder"
  | "FulfillmentOrderLineItem"
  | "InventoryItem"
  | "LineItem"
  | "Location"
  | "MailingAddress"
  | "Metafield"
  | "Order"
  | "OrderTransaction"
  | "Product"
  | "ProductOption"
  | "ProductVariant"
  | "Refund"
  | "RefundLineItem"
  | "ShippingLine"
  | "Shop"
  | "WebhookSubscription";

export const globalId = (type: GlobalIdType, id: number): string => `gid://shopify/${type}/${id}`;

/** Type and number of a global id, or undefined when the text is none. */
export function parseGlobalId(text: string): { type: string; id: number } | undefined {
  const match = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d+)(?:\?.*)?$/.exec(text);
  return match?.[1] && match[2] ? { type: match[1], id: Number(match[2]) } : undefined;
}

/** The number behind either form that callers of the control interface may use: `1001` or a global id of `type`. */
export function idFrom(text: string, type: GlobalIdType): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const parsed = parseGlobalId(text);
  return parsed?.type === type ? parsed.id : undefined;
}
