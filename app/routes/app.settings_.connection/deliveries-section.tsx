import { Badge, BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { Moment } from "../../components/moment/moment.tsx";
import type { DeliveriesView } from "../app.settings/present-settings.ts";

/** The last events of the service: what came when, whether it was believed, and what it led to. */
export function DeliveriesSection({
  deliveries,
  now,
}: {
  deliveries: DeliveriesView;
  now: string;
}) {
  return (
    <SettingsSection
      title="Last deliveries"
      description={
        <Text as="p" tone="subdued">
          What the service sent to your webhook addresses. An event says only that there is news;
          Pathway then fetches it.
        </Text>
      }
    >
      <Card>
        {deliveries.length === 0 ? (
          <NoDeliveries />
        ) : (
          <ul className="pathway-checks">
            {deliveries.map((delivery) => (
              <li key={delivery.id}>
                <Box paddingBlock="100">
                  <InlineStack align="space-between" blockAlign="start" gap="200">
                    <BlockStack gap="050">
                      <Text as="span" fontWeight="semibold">
                        {delivery.subject}
                      </Text>
                      <Text as="span" tone="subdued">
                        <Moment at={delivery.at} now={now} />
                        {delivery.environment && ` · ${delivery.environment}`}
                        {` · ${delivery.ledTo}`}
                      </Text>
                    </BlockStack>
                    <InlineStack gap="200" blockAlign="center">
                      {delivery.order && (
                        <Link url={`/app/orders/${delivery.order}`}>Show order</Link>
                      )}
                      <Badge tone={delivery.isAccepted ? "success" : "critical"}>
                        {delivery.verdict}
                      </Badge>
                    </InlineStack>
                  </InlineStack>
                </Box>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </SettingsSection>
  );
}

function NoDeliveries() {
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingSm">
        Nothing was delivered yet
      </Text>
      <Text as="p">
        Copy the webhook address above into the service under Settings, Webhooks, and the signing
        secret that it shows there back into Pathway. Then{" "}
        <Link url="/app/simulation">simulate an order</Link> in staging: the service sends an event
        for each step.
      </Text>
    </BlockStack>
  );
}
