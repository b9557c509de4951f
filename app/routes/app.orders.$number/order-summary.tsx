import { Badge, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { OrderView } from "./present-order.ts";

/** Answers at a glance: who bought, which tests, and where each of them stands. */
export function OrderSummary({ view }: { view: OrderView }) {
  const { customer, summary } = view;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <BlockStack gap="050">
            <Text as="h2" variant="headingMd">
              {customer.name}
            </Text>
            {customer.about && (
              <Text as="p" tone="subdued" breakWord>
                {customer.about}
              </Text>
            )}
          </BlockStack>
          {customer.url && <Button url={customer.url}>View customer in Shopify</Button>}
        </InlineStack>
        {summary.length > 0 && (
          <ul className="pathway-mails">
            {summary.map(({ id, title, stages }) => (
              <li key={id}>
                <InlineStack align="space-between" blockAlign="center" gap="200">
                  <Text as="span">{title}</Text>
                  <InlineStack gap="100">
                    {stages.map(({ name, tone, count }) => (
                      <Badge key={name} tone={tone}>
                        {count > 1 ? `${count} × ${name}` : name}
                      </Badge>
                    ))}
                  </InlineStack>
                </InlineStack>
              </li>
            ))}
          </ul>
        )}
      </BlockStack>
    </Card>
  );
}
