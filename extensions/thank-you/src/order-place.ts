/**
 * The order's page in the customer account, where Shopify signs the buyer in. The page says itself that an order is being
 * prepared. On the thank-you page the id may still be the order's identity, under the same number.
 */
export function orderPlace(shopId: string, orderId: string): string {
  const number = (id: string) => /(\d+)$/.exec(id)?.[1] ?? "";
  return `https://shopify.com/${number(shopId)}/account/orders/${number(orderId)}`;
}
