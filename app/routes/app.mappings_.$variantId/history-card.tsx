import { BlockStack, Card, List, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { HistoryView } from "./present-history.ts";

/** Lists who changed the mapping, when, and from what to what. */
export function HistoryCard({ history: { steps, hasMore } }: { history: HistoryView }) {
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          Changes of this mapping
        </Text>
        {steps.length === 0 ? (
          <Text as="p" tone="subdued">
            Nobody has changed this mapping in the last 90 days. Changes are listed here once it is
            saved.
          </Text>
        ) : (
          <List>
            {steps.map(({ id, at, who, deed, from, to, texts }) => (
              <List.Item key={id}>
                <Text as="span" fontWeight="semibold">
                  {deed}
                </Text>{" "}
                by {who}, <Moment at={at} />
                {to && (
                  <Text as="p" breakWord>
                    From: {from}
                  </Text>
                )}
                {to && (
                  <Text as="p" breakWord>
                    To: {to}
                  </Text>
                )}
                {texts.map((text) => (
                  <Text as="p" key={text}>
                    {text}
                  </Text>
                ))}
              </List.Item>
            ))}
          </List>
        )}
        {hasMore && (
          <Text as="p" tone="subdued">
            Only the last {steps.length} changes are listed.
          </Text>
        )}
      </BlockStack>
    </Card>
  );
}
