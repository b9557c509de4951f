import { BlockStack, Button, Card, InlineStack, SkeletonBodyText, Text } from "@shopify/polaris";

/** Keeps the height of the chart that follows, so that nothing moves. */
export function TrendsSkeleton() {
  return (
    <Card>
      <div className="pathway-chart-room" aria-busy="true">
        <BlockStack gap="400">
          <Text as="h2" variant="headingMd">
            Last 14 days
          </Text>
          <SkeletonBodyText lines={10} />
        </BlockStack>
      </div>
    </Card>
  );
}

/** The chart could not be read; the rest of the page stands. */
export function TrendsFailed() {
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          Last 14 days
        </Text>
        <Text as="p">
          The chart couldn’t be loaded. Everything else on this page is up to date.
        </Text>
        <InlineStack>
          <Button onClick={() => window.location.reload()}>Reload the page</Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
