import { useFetcher } from "@remix-run/react";
import { BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { OrderView } from "./present-order.ts";

/** Lists what somebody marked as handled and whose cause still stands, so that it can be reopened. */
export function HandledReasons({ view }: { view: OrderView }) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, "order");
  if (view.handled.length === 0) return null;
  const isBusy = fetcher.state !== "idle";
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Marked as handled
        </Text>
        {view.handled.map(({ reason, sentence, about }) => (
          <InlineStack
            key={reason}
            align="space-between"
            blockAlign="center"
            gap="200"
            wrap={false}
          >
            <Text as="p">
              {sentence}
              {about && (
                <Text as="span" tone="subdued">
                  {" "}
                  {about}
                </Text>
              )}
            </Text>
            <Box minWidth="fit-content">
              <Button
                loading={isBusy && fetcher.formData?.get("reason") === reason}
                disabled={isBusy}
                accessibilityLabel={`Reopen: ${sentence}`}
                onClick={() => fetcher.submit({ intent: "reopen", reason }, { method: "post" })}
              >
                Reopen
              </Button>
            </Box>
          </InlineStack>
        ))}
      </BlockStack>
    </Card>
  );
}
