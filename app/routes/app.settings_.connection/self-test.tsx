import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import type { Environment } from "../../modules/shops/connection.ts";
import type { SettingsAnswer } from "../app.settings/apply-settings.ts";

/** Has Pathway send itself an event through its public address, and says how far it came. */
export function SelfTest({ environment }: { environment: Environment }) {
  const fetcher = useFetcher<SettingsAnswer>();
  const told = fetcher.data?.selfTest;
  const isTesting = fetcher.state !== "idle";
  return (
    <BlockStack gap="300">
      <InlineStack gap="300" blockAlign="center">
        <Button
          loading={isTesting}
          accessibilityLabel={`Test the address of ${environment}`}
          onClick={() => fetcher.submit({ intent: "self-test", environment }, { method: "post" })}
        >
          Test the address
        </Button>
        <Text as="span" tone="subdued">
          Pathway sends itself a signed event, as the service would.
        </Text>
      </InlineStack>
      <div role="status">
        {told && !isTesting && (
          <Banner tone={told.isPassed ? "success" : "critical"} title={told.sentence}>
            <p>{told.nextStep}</p>
          </Banner>
        )}
      </div>
    </BlockStack>
  );
}
