import { BlockStack, Icon, InlineStack, Spinner, Text } from "@shopify/polaris";
import { AlertCircleIcon, CheckCircleIcon } from "@shopify/polaris-icons";
import type { SimulationView, StepState } from "./present-simulations.ts";

const SAID: Record<StepState, string> = {
  done: "done",
  doing: "being done",
  todo: "to do",
  failed: "failed",
};

/** The steps with their marks, times and what each one brought. Changes are read out. */
export function StepList({ steps }: Pick<SimulationView, "steps">) {
  return (
    <ol className="pathway-steps" id="steps" aria-live="polite">
      {steps.map(({ step, name, state, seconds, evidence }) => (
        <li key={step} data-step={step} data-state={state}>
          <Mark state={state} />
          <BlockStack gap="050">
            <InlineStack gap="200" blockAlign="center">
              <Text
                as="p"
                fontWeight={state === "doing" ? "semibold" : "regular"}
                tone={state === "todo" ? "subdued" : undefined}
              >
                {name}
                <Text as="span" visuallyHidden>
                  {` (${SAID[state]})`}
                </Text>
              </Text>
              {seconds && (
                <Text as="span" tone="subdued" variant="bodySm">
                  {seconds}
                </Text>
              )}
            </InlineStack>
            {evidence && (
              <Text as="p" tone="subdued" variant="bodySm">
                {evidence}
              </Text>
            )}
          </BlockStack>
        </li>
      ))}
    </ol>
  );
}

function Mark({ state }: { state: StepState }) {
  switch (state) {
    case "done":
      return <Icon source={CheckCircleIcon} tone="success" />;
    case "failed":
      return <Icon source={AlertCircleIcon} tone="critical" />;
    case "doing":
      return (
        <div>
          <Spinner size="small" />
        </div>
      );
    case "todo":
      return <span className="pathway-step-open" />;
  }
}
