import { useFetcher } from "@remix-run/react";
import { BlockStack, Box, Button, Card, Icon, InlineStack, Text } from "@shopify/polaris";
import { CheckCircleIcon } from "@shopify/polaris-icons";
import type { HomeView } from "./present-home.ts";

/** Lists the steps before real orders flow. A merchant who knows them may put the guide away. */
export function SetupGuide({ steps }: Pick<HomeView, "steps">) {
  const done = steps.filter((step) => step.isDone).length;
  const next = steps.find((step) => !step.isDone);
  const fetcher = useFetcher();
  // The click counts before its answer comes.
  if (fetcher.formData?.get("intent") === "dismiss-setup") return null;
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="start" gap="200" wrap={false}>
          <BlockStack gap="100">
            <Text as="h2" variant="headingMd">
              {next ? "Get set up" : "You’re all set"}
            </Text>
            <Text as="p" tone="subdued">
              {done} of {steps.length} steps done. Steps complete automatically.
            </Text>
          </BlockStack>
          <Button
            variant="tertiary"
            accessibilityLabel="Dismiss the setup guide"
            onClick={() =>
              fetcher.submit({ intent: "dismiss-setup" }, { method: "post", action: "/app?index" })
            }
          >
            Dismiss
          </Button>
        </InlineStack>
        <ol className="pathway-steps">
          {steps.map((step) => (
            <li key={step.title} aria-current={step === next ? "step" : undefined}>
              <StepMark isDone={step.isDone} />
              <BlockStack gap="200" inlineAlign="start">
                <InlineStack gap="100">
                  <Text
                    as="h3"
                    variant="headingSm"
                    fontWeight={step === next ? "semibold" : "regular"}
                  >
                    {step.title}
                  </Text>
                  {step.isDone && (
                    <Text as="span" visuallyHidden>
                      (done)
                    </Text>
                  )}
                </InlineStack>
                {step === next && (
                  <>
                    <Text as="p">{step.text}</Text>
                    <InlineStack gap="200">
                      <Button variant="primary" url={step.action.url}>
                        {step.action.content}
                      </Button>
                      {step.also && <Button url={step.also.url}>{step.also.content}</Button>}
                    </InlineStack>
                  </>
                )}
              </BlockStack>
            </li>
          ))}
        </ol>
      </BlockStack>
    </Card>
  );
}

function StepMark({ isDone }: { isDone: boolean }) {
  if (!isDone) return <span className="pathway-step-open" />;
  return (
    <Box>
      <Icon source={CheckCircleIcon} tone="success" />
    </Box>
  );
}
