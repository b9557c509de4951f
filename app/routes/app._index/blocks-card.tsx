import { Badge, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import type { CustomerAccounts } from "../../modules/shops/shop.ts";
import { blocksFor, placedHandles } from "./block-placements.ts";

/** Whether each block is placed, as Shopify says, with the way into the editor that places it. */
export function BlocksCard({ accounts }: { accounts: CustomerAccounts }) {
  const [placed, setPlaced] = useState<ReadonlySet<string> | null>(null);
  const [apiKey, setApiKey] = useState("");
  useEffect(() => {
    const bridge = appBridge();
    setApiKey(bridge?.config.apiKey ?? "");
    bridge?.app.extensions().then(
      (extensions) => setPlaced(placedHandles(extensions)),
      // An admin that does not tell, such as an older mobile app, leaves the links.
      () => setPlaced(null),
    );
  }, []);
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            Blocks in your store
          </Text>
          <Text as="p" tone="subdued">
            Each opens in Shopify’s editor. Add the block there and save.
          </Text>
        </BlockStack>
        {blocksFor(accounts).map(({ handle, title, text, editor }) => (
          <InlineStack key={handle} align="space-between" blockAlign="center" gap="200">
            <BlockStack gap="050">
              {/* Without an alignment of its own it takes the one of the stack around it. */}
              <InlineStack align="start" gap="200" blockAlign="center">
                <Text as="h3" variant="headingSm">
                  {title}
                </Text>
                {placed &&
                  (placed.has(handle) ? (
                    <Badge tone="success">Placed</Badge>
                  ) : (
                    <Badge tone="attention">Not placed</Badge>
                  ))}
              </InlineStack>
              <Text as="p" tone="subdued">
                {text}
              </Text>
            </BlockStack>
            <Button
              url={`shopify://admin${editor(apiKey)}`}
              target="_top"
              accessibilityLabel={`Open the editor for ${title}`}
            >
              Open the editor
            </Button>
          </InlineStack>
        ))}
      </BlockStack>
    </Card>
  );
}
