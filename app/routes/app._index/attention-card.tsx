import { Badge, BlockStack, Box, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { HomeView } from "./present-home.ts";

interface Props {
  items: HomeView["attention"];
  hasMore: boolean;
}

/** Lists what needs a person: one reason and one thing to do for each. */
export function AttentionCard({ items, hasMore }: Props) {
  return (
    <Card padding="0">
      <Box padding="400" paddingBlockEnd={items.length > 0 ? "200" : "400"}>
        <BlockStack gap="200">
          <Text as="h2" variant="headingMd">
            Needs attention
          </Text>
          {items.length === 0 && (
            <Text as="p" tone="subdued">
              Nothing needs you right now. When a paid test can’t go on by itself, it appears here
              with what to do.
            </Text>
          )}
        </BlockStack>
      </Box>
      {items.length > 0 && (
        <ul className="pathway-list">
          {items.map((item) => (
            <li key={item.key}>
              <Box padding="400">
                <div className="pathway-summary">
                  <BlockStack gap="100">
                    <InlineStack align="start" gap="200" blockAlign="center">
                      <Link url={`/app/orders/${item.number}`} monochrome removeUnderline>
                        <Text as="span" fontWeight="semibold">
                          {item.orderName}
                        </Text>
                      </Link>
                      {item.isForToday && <Badge tone="critical">Today</Badge>}
                      {item.tests && <Badge>{item.tests}</Badge>}
                      <Text as="span" tone="subdued" variant="bodySm">
                        <Moment at={item.paidAt} />
                      </Text>
                    </InlineStack>
                    <Text as="p">{item.sentence}</Text>
                    <Text as="p" tone="subdued">
                      {item.nextStep}
                    </Text>
                  </BlockStack>
                  <Button
                    url={`/app/orders/${item.number}`}
                    accessibilityLabel={`Open order ${item.orderName}`}
                  >
                    Open
                  </Button>
                </div>
              </Box>
            </li>
          ))}
        </ul>
      )}
      {hasMore && (
        <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
          <Link url="/app/attention">See all that need attention</Link>
        </Box>
      )}
    </Card>
  );
}
