import { Badge, InlineStack, Text } from "@shopify/polaris";
import type { OrderRow } from "./present-orders.ts";

/** Where an order's tests stand; with numbers when they stand in different places. */
export function StageBadges({ order }: { order: Pick<OrderRow, "badges"> }) {
  if (order.badges.length === 0)
    return (
      <Text as="span" tone="subdued">
        No tests
      </Text>
    );
  const isMixed = order.badges.length > 1;
  return (
    <InlineStack gap="100">
      {order.badges.map(({ name, tone, count }) => (
        <Badge key={name} tone={tone}>
          {isMixed && count > 0 ? `${count} × ${name}` : name}
        </Badge>
      ))}
    </InlineStack>
  );
}
