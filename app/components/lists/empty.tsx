import { BlockStack, Box, Button, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

interface Props {
  heading: string;
  action: { content: string; url: string };
  children: ReactNode;
}

/** An empty list: why it is empty, and what to do next. */
export function Empty({ heading, action, children }: Props) {
  return (
    <Box paddingBlock="1600" paddingInline="400">
      <BlockStack gap="400" inlineAlign="center">
        <BlockStack gap="100" inlineAlign="center">
          <Text as="h2" variant="headingMd" alignment="center">
            {heading}
          </Text>
          <Text as="p" tone="subdued" alignment="center">
            {children}
          </Text>
        </BlockStack>
        <Button url={action.url}>{action.content}</Button>
      </BlockStack>
    </Box>
  );
}
