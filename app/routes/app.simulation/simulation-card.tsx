import { Banner, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useRereading } from "../../components/loading/use-rereading.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { ProgressBar } from "../../components/progress/progress-bar.tsx";
import type { SimulationView } from "./present-simulations.ts";
import { StepList } from "./step-list.tsx";

const LOOK_EVERY_MS = 1_000;

/** One simulation, live while it runs. */
export function SimulationCard({ simulation }: { simulation: SimulationView }) {
  const { isRunning, percent } = simulation;
  useRereading(isRunning, LOOK_EVERY_MS);
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <BlockStack gap="050">
            <Text as="h2" variant="headingMd">
              {simulation.title}
            </Text>
            <Text as="p" tone="subdued">
              Started <Moment at={simulation.startedAt} />
              {simulation.seconds && ` · ${simulation.seconds}`}
            </Text>
          </BlockStack>
          {simulation.hasOrder && <Button url={simulation.url}>Open its order</Button>}
        </InlineStack>
        <Verdict simulation={simulation} />
        {isRunning && <ProgressBar percent={percent} labelledBy="steps" />}
        <StepList steps={simulation.steps} />
      </BlockStack>
    </Card>
  );
}

function Verdict({ simulation: { isRunning, failure, noEvents } }: { simulation: SimulationView }) {
  if (isRunning) return null;
  const trouble = failure ?? noEvents;
  if (trouble)
    return (
      <Banner tone={failure ? "critical" : "warning"} title={trouble.sentence}>
        {trouble.nextStep}
      </Banner>
    );
  return <Banner tone="success" title="Everything works, from the mapping to the results." />;
}
