import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Page, Text } from "@shopify/polaris";
import { describeError, type ErrorDescription, thrownDescription } from "./describe-error.ts";
import { useAgain } from "./use-again.ts";

/** An error inside the frame: what happened, what to do next, and a way back. */
export function EmbeddedError() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const thrown = thrownDescription(error);
  useAgain(thrown ?? {});
  const description: ErrorDescription = thrown ?? describeError(status);
  const back = thrown?.back ?? { label: "Go to Home", url: "/app" };
  return (
    <Page title={description.title} narrowWidth>
      <Card>
        <BlockStack gap="400">
          <BlockStack gap="200">
            <Text as="p">{description.sentence}</Text>
            <Text as="p">{description.nextStep}</Text>
          </BlockStack>
          <InlineStack gap="200">
            {thrown?.step && (
              <Button url={thrown.step.url} variant="primary">
                {thrown.step.label}
              </Button>
            )}
            <Button url={back.url} variant={thrown?.step ? "secondary" : "primary"}>
              {back.label}
            </Button>
            {status >= 500 && (
              <Button onClick={() => window.location.reload()}>Reload the page</Button>
            )}
          </InlineStack>
        </BlockStack>
      </Card>
    </Page>
  );
}
