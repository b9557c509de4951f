import { Banner, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useRereading } from "../../components/loading/use-rereading.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { ProgressBar } from "../../components/progress/progress-bar.tsx";
import type { RehearsalView } from "./present-rehearsals.ts";
import { StepList } from "./step-list.tsx";

const LOOK_EVERY_MS = 1_000;

/** One rehearsal, live while it runs. */
export function RehearsalCard({ rehearsal }: { rehearsal: RehearsalView }) {
  const { isRunning, percent } = rehearsal;
  useRereading(isRunning, LOOK_EVERY_MS);
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <BlockStack gap="050">
            <Text as="h2" variant="headingMd">
              {rehearsal.title}
            </Text>
            <Text as="p" tone="subdued">
              Begun <Moment at={rehearsal.startedAt} />
              {rehearsal.seconds && ` · took ${rehearsal.seconds}`}
            </Text>
          </BlockStack>
          {rehearsal.hasOrder && <Button url={rehearsal.url}>Open its order</Button>}
        </InlineStack>
        <Verdict rehearsal={rehearsal} />
        {isRunning && <ProgressBar percent={percent} labelledBy="steps" />}
        <StepList steps={rehearsal.steps} />
      </BlockStack>
    </Card>
  );
}

function Verdict({ rehearsal: { isRunning, failure, noEvents } }: { rehearsal: RehearsalView }) {
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
