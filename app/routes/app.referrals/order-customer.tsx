import { Text } from "@shopify/polaris";
import type { OrderRow } from "./present-orders.ts";

/** Who bought, as Shopify tells; never who the patient is. */
export function OrderCustomer({ order }: { order: OrderRow }) {
  if (!order.customer)
    return (
      <Text as="span" tone="subdued">
        No customer
      </Text>
    );
  return (
    <>
      <Text as="p" breakWord>
        {order.customer}
      </Text>
      {order.email && (
        <Text as="p" tone="subdued" variant="bodySm" breakWord>
          {order.email}
        </Text>
      )}
    </>
  );
}

export function OrderProducts({ order }: { order: OrderRow }) {
  return (
    <Text as="span" breakWord>
      {order.products || "–"}
      {order.moreProducts > 0 && ` and ${order.moreProducts} more`}
    </Text>
  );
}
